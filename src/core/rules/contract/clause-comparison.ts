/**
 * Whether the protocol's own schema of an operation allows a body: where contract and clauses disagree, both are
 * reported.
 */
import { operation as catalogueOperation } from '../../protocol/catalogue.ts'
import { certainIssues } from '../../protocol/certain-issues.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import type { BodyTranslator } from '../../protocol/translation/translator.ts'
import { type Exchange, hasSucceeded } from '../../traffic/exchange.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import { redactedPlaces } from '../../traffic/redaction/redacted-places.ts'
import type { ContractExchange } from './contract-difference.ts'
import type { MessageDirection } from './normalise-schema.ts'
import { pointerOf } from './source.ts'

/** What the protocol says about a body, with its clauses. */
export interface ClauseOpinion {
  readonly allows: boolean
  readonly clauses: readonly string[]
  /** Why it does not allow it. */
  readonly because?: string
}

/** The body of one side as parsed, and its schema in the protocol; undefined where the protocol has none. */
function bodyAndSchema(
  { operation, request, reply }: Exchange,
  side: MessageDirection,
  translator: BodyTranslator | undefined,
) {
  if (operation === undefined) return undefined
  const row = catalogueOperation(operation)
  if (side === 'request') {
    const schema = row.request?.()
    const value = tryParseJson(request.body)
    return (
      schema && { row, schema, value: translator?.fromWire(operation, 'request', value) ?? value }
    )
  }
  // The bodies of errors are a choice of the dialect.
  const schema = hasSucceeded(reply) ? row.response?.() : undefined
  const value = tryParseJson(reply?.body)
  return schema && { row, schema, value: translator?.fromWire(operation, 'reply', value) ?? value }
}

export function clauseOpinion(
  exchange: ContractExchange,
  side: MessageDirection,
  translator?: BodyTranslator,
): ClauseOpinion | undefined {
  const found = bodyAndSchema(exchange, side, translator)
  if (!found || found.value === undefined) return undefined
  const { clauses } = found.row
  const { error } = found.schema.safeParse(found.value)
  const places = redactedPlaces(exchange.redactions, side === 'request' ? 'q.body' : 'p.body')
  const issues = places
    ? certainIssues(error?.issues ?? [], {
        isUnknown: (path) => places.has(pointerOf(path.map(String))),
        hasNames: places.hasNames,
      })
    : (error?.issues ?? [])
  return issues.length === 0
    ? { allows: true, clauses }
    : { allows: false, clauses, because: jsonProblemText({ issues }, found.value) }
}

/** The clauses of an operation, where its answer has the status with which they have a success answered. */
export function clausesOfStatus({ operation, reply }: Exchange): readonly string[] {
  if (operation === undefined) return []
  const { success, clauses } = catalogueOperation(operation)
  return reply?.status === success ? clauses : []
}
