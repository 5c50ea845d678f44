/** A difference that somebody accepts becomes a rule: where it holds, how values are compared there, and who said so. */
import { compact } from '../compact.ts'
import type { Comparator, Difference, Rule } from '../traffic/difference/difference.ts'

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** One step of a JSON Pointer as one of a JSONPath. A position in a list says nothing of another list. */
function stepOf(token: string): string {
  if (/^\d+$/.test(token)) return '[*]'
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
  if (plainName.test(name)) return `.${name}`
  return `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
}

/** `/body/items/0/price` as `$.body.items[*].price`. */
export const pathOf = (pointer: string): string =>
  `$${pointer.split('/').slice(1).map(stepOf).join('')}`

/** The rule by which this difference, and every one like it, is none any more. */
export const ruleOf = (
  { side, where }: Difference,
  compare: Comparator,
  about: { readonly operation?: string | undefined; readonly seq: number },
): Rule => ({
  at: pathOf(where),
  side,
  ...compact({ operation: about.operation }),
  compare,
  from: 'user',
  reason: `accepted by hand, at exchange ${about.seq}`,
})
