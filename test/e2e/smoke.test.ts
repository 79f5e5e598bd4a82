import assert from 'node:assert/strict';
import { openWorkbench, type Workbench } from '../support/workbench';

describe('Parley in a VS Code window', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
  });

  after(async () => {
    await workbench.close();
  });

  it('opens its chat', async () => {
    await workbench.command('Parley: Focus Chat');
    const frame = await workbench.webview('[data-testid="parley-chat"]');
    assert.equal(await frame.locator('[data-testid="composer"]').count(), 1);
  });
});
