import type { ContentBlock as WireBlock } from '@agentclientprotocol/sdk/unstable';
import { asNumber, asObject, asString, isObject } from '../../shared/json';
import type { ContentBlock } from '../../shared/transcript/model';

/** Undefined only for what is no content block at all; an unknown type is kept. */
export function readBlock(value: unknown): ContentBlock | undefined {
  if (typeof value === 'string') {
    return { kind: 'text', text: value };
  }
  if (!isObject(value)) {
    return undefined;
  }
  const type = asString(value.type);
  const mimeType = asString(value.mimeType);
  switch (type) {
    case 'text':
      return { kind: 'text', text: asString(value.text) ?? '' };
    case 'image':
      return {
        kind: 'image',
        mimeType: mimeType ?? 'image/png',
        data: asString(value.data) ?? '',
        uri: asString(value.uri),
      };
    case 'audio':
      return { kind: 'audio', mimeType: mimeType ?? 'audio/wav', data: asString(value.data) ?? '' };
    case 'resource': {
      const resource = asObject(value.resource);
      return {
        kind: 'resource',
        uri: asString(resource.uri) ?? '',
        mimeType: asString(resource.mimeType),
        text: asString(resource.text),
        blob: asString(resource.blob),
      };
    }
    case 'resource_link': {
      const uri = asString(value.uri) ?? '';
      return {
        kind: 'resourceLink',
        uri,
        name: asString(value.name) ?? uri,
        title: asString(value.title),
        description: asString(value.description),
        mimeType,
        size: asNumber(value.size),
      };
    }
    default:
      return type === undefined ? undefined : { kind: 'unknown', type, json: JSON.stringify(value) };
  }
}

export function writeBlock(block: ContentBlock): WireBlock {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', mimeType: block.mimeType, data: block.data, uri: block.uri };
    case 'audio':
      return { type: 'audio', mimeType: block.mimeType, data: block.data };
    case 'resource':
      return {
        type: 'resource',
        resource:
          block.blob === undefined
            ? { uri: block.uri, mimeType: block.mimeType, text: block.text ?? '' }
            : { uri: block.uri, mimeType: block.mimeType, blob: block.blob },
      };
    case 'resourceLink':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        title: block.title,
        description: block.description,
        mimeType: block.mimeType,
        size: block.size,
      };
    case 'unknown':
      return { type: 'text', text: block.json };
  }
}
