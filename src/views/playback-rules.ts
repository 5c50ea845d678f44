/** Converts an accepted difference to a comparison rule: path, comparator, origin. */
import { compact } from '../compact.ts'
import type { Comparator, Difference, Rule } from '../traffic/difference/difference.ts'

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** JSON Pointer token to JSONPath step; an array index becomes a wildcard. */
function stepOf(token: string): string {
  if (/^\d+$/.test(token)) return '[*]'
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
  if (plainName.test(name)) return `.${name}`
  return `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
}

/** `/body/items/0/price` as `$.body.items[*].price`. */
export const jsonPathOfPointer = (pointer: string): string =>
  `$${pointer.split('/').slice(1).map(stepOf).join('')}`

/** Rule that accepts this difference and all similar ones. */
export const ruleForDifference = (
  { side, where }: Difference,
  compare: Comparator,
  about: { readonly operation?: string | undefined; readonly seq: number },
): Rule => ({
  at: jsonPathOfPointer(where),
  side,
  ...compact({ operation: about.operation }),
  compare,
  from: 'user',
  reason: `accepted by hand, at exchange ${about.seq}`,
})
