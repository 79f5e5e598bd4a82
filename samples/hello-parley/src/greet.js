/**
 * @param {string} name
 * @returns {string} A greeting.
 */
export function greet(name) {
  return 'Hello, ' + name + '!';
}
