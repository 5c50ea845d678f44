/** All mistakes of a service that is called: calls that failed, and answers that look like another service's. */
import { failureKindOf } from '../../../traffic/failed-requests.ts'
import { type Exchange, type ExchangeReply, headerValue } from '../../../traffic/exchange.ts'
import { boundedLine, plainReason } from '../../../traffic/stated-reason.ts'
import { diagnose, type Mistake } from '../mistake.ts'
import { answerMistakes } from './answers.ts'
import { connectionMistakes } from './connection.ts'
import { callText, type FailedCall } from './failed-call.ts'

const mistakes: readonly Mistake<FailedCall>[] = [...connectionMistakes, ...answerMistakes]

/** Why a call to the user's service failed, and what to do: its own words where no mistake is recognised. */
const failedCallReason = (call: FailedCall): string | undefined => {
  const known = diagnose(mistakes, call)
  return known === undefined ? plainReason(call) : boundedLine(known)
}

/**
 * Whether a reply is a page. The media type alone says nothing: frameworks such as Flask, and PHP, write it on an empty
 * reply, on a word, and on JSON.
 */
function isPage({ headers, body = '' }: ExchangeReply): boolean {
  const text = body.replace(/^\uFEFF/, '').trimStart()
  const isMarkup = /^text\/html\b/i.test(headerValue(headers, 'content-type') ?? '')
  return isMarkup ? text.startsWith('<') : /^<(?:!doctype\s+html|html)\b/i.test(text)
}

/** A success with a page as its body: probably a web server that answers every path. */
const pageAdvice = (call: FailedCall): string | undefined =>
  call.row !== undefined && call.reply && isPage(call.reply)
    ? `your service answers ${callText(call)} with an HTML page: is --subject the right address, and the path the right one?`
    : undefined

/** The reason of a failed call, or advice on a successful one, as members of its exchange. */
export function callDiagnosis(call: FailedCall): Pick<Exchange, 'reason' | 'advice'> {
  const ended = { ...call, to: { role: call.from, party: 'subject' as const } }
  const isFailed = failureKindOf(ended) !== undefined
  const text = isFailed ? failedCallReason(call) : pageAdvice(call)
  if (text === undefined) return {}
  return isFailed ? { reason: text } : { advice: text }
}
