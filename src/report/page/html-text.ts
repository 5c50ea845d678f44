/** Escapes text for HTML, in elements and attributes. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const htmlText = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => entities[each] ?? each)
