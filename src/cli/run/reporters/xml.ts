/** Text inside XML: what would be read as a tag is spelt out, and what no XML may hold is left out. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Control characters and halves of pairs: no XML document may hold them, not even spelt out. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|\p{Surrogate}/gu

export const xmlText = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (each) => entities[each] ?? each)

/** ` name="value"` for each. */
export const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('')
