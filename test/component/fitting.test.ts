import assert from 'node:assert/strict';
import { countFitting } from '../../src/webview/controls/useFitting';

describe('what fits into the row of the composer', () => {
  const widths = [28, 80, 100, 60, 70];
  const main = 3;

  it('is everything as long as there is room', () => {
    assert.equal(countFitting(widths, 338, main), 5);
  });

  it('leaves out from the end what does not fit beside the menu for it', () => {
    assert.equal(countFitting(widths, 337, main), 4);
    assert.equal(countFitting(widths, 295, main), 3);
  });

  it('cuts one of the first ones off before it leaves it out', () => {
    assert.equal(countFitting(widths, 200, main), 3);
    assert.equal(countFitting(widths, 199, main), 2);
    assert.equal(countFitting(widths, 120, main), 2);
    assert.equal(countFitting(widths, 119, main), 1);
  });
});
