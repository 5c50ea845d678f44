/** Escapes text for XML and removes characters that XML forbids. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Control characters and lone surrogates: forbidden in XML even when escaped. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|\p{Surrogate}/gu

export const xmlText = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (each) => entities[each] ?? each)

/** ` name="value"` for each. */
export const xmlAttributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('')
