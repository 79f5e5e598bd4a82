import { connectToVsCode } from './host';
import { mountChat } from './mountChat';

const root = document.getElementById('root');
if (root !== null) {
  mountChat(root, connectToVsCode());
}
