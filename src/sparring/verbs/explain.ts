/** `sparring explain`: the history of an order, account, customer, event or exchange, and where the views of the two sides diverge. */
import { clockOf } from '../../core/engine/instant.ts'
import type { Explanation } from '../../core/session-api/session-api.ts'
import { type Io, printLine, textWidth } from '../../terminal/cli/io.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { defineSessionVerb } from './support/session-verb.ts'

/** `ORD-EVR-03` and `SE-1` are no entities. */
const isRuleName = (text: string): boolean => /^[A-Z]{2,3}-(?:[A-Z]{3}-\d\d|\d+)$/i.test(text)

const isExchange = (text: string): boolean => /^#\d+$/.test(text)

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`

async function printExplanation(
  { title, lines, omitted, conclusion, rules }: Explanation,
  io: Io,
): Promise<void> {
  await printLine(io.stdout, `${escapeControls(title)}\n`)
  for (const { at, text, odd } of lines) {
    const line = `${clockOf(at)}  ${odd ? '!' : ' '} ${escapeControls(text)}`
    await printLine(io.stdout, odd && io.color ? red(line) : line)
  }
  if (omitted > 0) await printLine(io.stdout, `(${omitted} lines in the middle omitted)`)
  await printLine(io.stdout, lines.length > 0 ? '' : '(nothing of it is in memory)')
  for (const sentence of conclusion) await printLine(io.stdout, escapeControls(sentence))
  if (rules.length === 0) return
  const { citedRuleLines } = await import('./support/clause-text.ts')
  const { loadClauses } = await import('../../core/protocol/clause.ts')
  const clauses = await loadClauses()
  for (const rule of rules)
    await printLine(io.stdout, ['', ...citedRuleLines(rule, clauses, textWidth(io))].join('\n'))
}

export const explainVerb = defineSessionVerb({
  name: 'explain',
  summary:
    'history of one order or account: events, acknowledgments, reads and calls, and where the two sides disagree',
  arguments: [
    {
      name: 'order',
      summary:
        'an order (its slot: o2, its id or the beginning of it, or its number), an account (its id or place: "TABLE 7" or TAB:12), the id of a customer, loyalty account, coupon or event, or an exchange (#17)',
      required: true,
    },
  ],
  async run({ order: text }, { connect, orderId, print, printRefusal, io }) {
    const about = isExchange(text) ? text : await orderId(text)
    const { explanation } = await (await connect()).look({ explain: about })
    if (!explanation)
      return printRefusal({
        code: 'NOT_FOUND',
        message: `there is no order, account, customer, loyalty account, coupon, event or exchange ${text}${isRuleName(text) ? `; what a clause or a rule says: sparring docs ${text}` : ''}`,
      })
    return print(explanation, () => printExplanation(explanation, io))
  },
})
