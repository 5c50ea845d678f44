/** Whether a shrunk body is still what the protocol allows in its place, as the recorded one was. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import { tryParseJson } from '../json/try-parse-json.ts'
import { isPollCall } from '../polling.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'

/** True where the protocol does not say, or where the recorded body is not allowed either. */
export function isValidBody(exchange: RecordedExchange, recorded: string, body: string): boolean {
  const { operation, from } = exchange
  if (operation === undefined) return true
  const { request, shown, response } = rowOf(operation)
  const schema = (from.party === 'subject' ? response : (shown ?? request))?.()
  if (!schema || !schema.safeParse(tryParseJson(recorded)).success) return true
  // A poll without its events is another poll.
  const value = tryParseJson(body)
  if (isPollCall(exchange) && Array.isArray(value) && value.length === 0) return false
  return schema.safeParse(value).success
}
