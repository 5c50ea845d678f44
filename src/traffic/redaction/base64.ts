/** Base64 with text in it, in either alphabet. What is no text inside is nobody's business here. */

// Control characters other than tab and line ends do not stand in texts.
// oxlint-disable-next-line no-control-regex
const notText = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFD]/

/** The text that a base64 value holds; undefined when it holds none. */
export function fromBase64(value: string): string | undefined {
  try {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return notText.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

export function toBase64(text: string, alphabet: 'url' | 'plain'): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  const plain = btoa(binary)
  return alphabet === 'plain'
    ? plain
    : plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
