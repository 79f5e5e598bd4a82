import assert from 'node:assert/strict';
import { isAtEnd, pinnedAfterScroll, pinnedAfterWheel } from '../../src/webview/scrollIntent';

const at = (top: number, height = 1000) => ({ top, height, viewport: 200 });

describe('scroll intent', () => {
  it('knows the end, with some slack', () => {
    assert.equal(isAtEnd(at(800)), true);
    assert.equal(isAtEnd(at(797.5)), true);
    assert.equal(isAtEnd(at(790)), false);
  });

  it('lets go when the user goes up', () => {
    assert.equal(pinnedAfterScroll(true, 800, at(700)), false);
  });

  it('holds on while content grows below', () => {
    assert.equal(pinnedAfterScroll(true, 800, at(800, 2000)), true);
  });

  it('holds on when content shrinks and the browser moves the view to the new end', () => {
    assert.equal(pinnedAfterScroll(true, 800, at(500, 700)), true);
  });

  it('stays where it is while the user moves about above the end', () => {
    assert.equal(pinnedAfterScroll(false, 300, at(500)), false);
  });

  it('follows again from the end on', () => {
    assert.equal(pinnedAfterScroll(false, 700, at(799)), true);
  });

  it('lets go on a wheel turned up before anything moved', () => {
    assert.equal(pinnedAfterWheel(true, -20, at(800)), false);
    assert.equal(pinnedAfterWheel(true, 20, at(800)), true);
  });

  it('ignores the wheel where nothing can be scrolled', () => {
    assert.equal(pinnedAfterWheel(true, -20, { top: 0, height: 100, viewport: 200 }), true);
  });
});
