import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { stopProcess } from '../src/core/process/stopProcess';
import { asNumber, asObject, asString } from '../src/shared/json';
import { benchAgentCommand } from './benchAgentCommand';

const DOCUMENT = `<!doctype html><meta charset="utf-8"><title>bare</title>
<style>body { height: 600px; overflow-y: auto; white-space: pre-wrap; font-family: sans-serif; }</style>`;

/**
 * The least that a page can do with an agent's answer: each chunk is appended to one text as it comes. What the bench
 * sets Parley against, so it reads the same agent and is drawn by the same browser.
 */
export class BarePage {
  private answer: ServerResponse | undefined;
  private sessionId = '';
  private nextId = 0;
  private tellReady: () => void = () => undefined;
  private readonly ready = new Promise<void>((resolve) => (this.tellReady = resolve));

  private constructor(
    private readonly page: Page,
    private readonly server: Server,
    private readonly agent: ChildProcess,
  ) {}

  /** In a window of its own in the browser of `beside`. */
  static async open(beside: Page): Promise<BarePage> {
    const { command, args } = benchAgentCommand();
    const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const context = await beside.context().browser()?.newContext();
    if (context === undefined) {
      throw new Error('The page has no browser.');
    }
    const bare = new BarePage(await context.newPage(), server, agent);
    server.on('request', ({ url = '' }, response) => bare.serve(new URL(url, 'http://localhost'), response));
    createInterface({ input: agent.stdout }).on('line', (line) => bare.take(line));
    bare.send('initialize', { protocolVersion: 1 });
    await bare.ready;
    const { port } = server.address() as AddressInfo;
    await bare.page.goto(`http://127.0.0.1:${port}/`);
    await bare.timedTurn('hello');
    return bare;
  }

  /** @returns As `BenchWindow.timedTurn`: from asking to the last of the answer being drawn, by the page's own clock. */
  timedTurn(prompt: string): Promise<number> {
    return this.page.evaluate(async (asked) => {
      const started = performance.now();
      const text = document.createTextNode('');
      document.body.replaceChildren(text);
      const response = await fetch(`/ask?${new URLSearchParams({ prompt: asked })}`);
      const decoder = new TextDecoder();
      for (const reader = response.body?.getReader(); reader !== undefined;) {
        const { done, value } = await reader.read();
        if (done) {
          break;
        }
        text.appendData(decoder.decode(value, { stream: true }));
        document.body.scrollTop = document.body.scrollHeight;
      }
      return await new Promise<number>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame((now) => resolve(now - started)));
      });
    }, prompt);
  }

  async expectShown(characters: number): Promise<void> {
    const shown = await this.page.evaluate(() => document.body.textContent.length);
    if (shown < characters) {
      throw new Error(`Only ${shown} of ${characters} characters are on the bare page.`);
    }
  }

  async close(): Promise<void> {
    await this.page.context().close();
    this.server.close();
    await stopProcess(this.agent, { inputGraceMs: 0 });
  }

  private serve({ pathname, searchParams }: URL, response: ServerResponse): void {
    if (pathname !== '/ask') {
      response.setHeader('content-type', 'text/html').end(DOCUMENT);
      return;
    }
    this.answer = response;
    // The head goes at once: the page reads while the agent writes.
    response.flushHeaders();
    const prompt = [{ type: 'text', text: searchParams.get('prompt') }];
    this.send('session/prompt', { sessionId: this.sessionId, prompt });
  }

  private take(line: string): void {
    const { method, params, result } = asObject(JSON.parse(line));
    if (method === 'session/update') {
      this.answer?.write(asString(asObject(asObject(asObject(params).update).content).text) ?? '');
      return;
    }
    const { protocolVersion, sessionId, stopReason } = asObject(result);
    if (asNumber(protocolVersion) !== undefined) {
      this.send('session/new', { cwd: process.cwd(), mcpServers: [] });
    }
    const started = asString(sessionId);
    if (started !== undefined) {
      this.sessionId = started;
      this.tellReady();
    }
    if (stopReason !== undefined) {
      this.answer?.end();
    }
  }

  private send(method: string, params: object): void {
    this.nextId += 1;
    this.agent.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.nextId, method, params })}\n`);
  }
}
