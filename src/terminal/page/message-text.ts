/** The messages of an exchange as HTML: request and reply side by side, with bodies of bounded length. */
import { indentedJson } from '../../core/traffic/json/lossless-json.ts'
import {
  type Exchange,
  type ExchangeReply,
  type ExchangeRequest,
} from '../../core/traffic/exchange.ts'
import { htmlText } from './html-text.ts'

/** Characters of a body that are shown at most; the recording has all. */
export const maxShownBodyChars = 20_000

/** Headers that are shown of one message at most. */
const maxHeaders = 60

const cutTo = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text

/** JSON that is not much longer than what is shown is indented. */
function bodyText({ body, wire }: Pick<ExchangeReply, 'body' | 'wire'>, maxChars: number): string {
  if (body === undefined)
    return wire?.base64 === undefined ? '' : `(${wire.bytes ?? '?'} bytes that are no text)`
  const indented = body.length <= maxChars * 4 ? indentedJson(body) : undefined
  return cutTo(indented ?? body, maxChars)
}

function messageHtml(
  head: string,
  message: Pick<ExchangeRequest | ExchangeReply, 'headers' | 'body' | 'wire'>,
  maxChars: number,
): string {
  const { headers } = message
  const more = headers.length > maxHeaders ? [`(${headers.length - maxHeaders} more headers)`] : []
  const lines = [
    head,
    ...headers.slice(0, maxHeaders).map(([name, value]) => cutTo(`${name}: ${value}`, 2000)),
    ...more,
    '',
    bodyText(message, maxChars),
  ]
  return htmlText(lines.join('\n').trimEnd())
}

/** Request and reply in two columns. `maxChars` bounds each body. */
export function htmlMessages(
  { request, reply, failure, tookMs }: Exchange,
  maxChars = maxShownBodyChars,
): string {
  const head = cutTo(`${request.method} ${request.url}`, 2000)
  const failed = `no complete reply: ${failure?.code ?? ''} ${failure?.message ?? ''}`
  const answer = [
    ...(failure || !reply ? [htmlText(failed)] : []),
    ...(reply ? [messageHtml(String(reply.status), reply, maxChars)] : []),
  ].join('\n')
  return `<div class="sides"><div><h4>request</h4><pre>${messageHtml(head, request, maxChars)}</pre></div><div><h4>reply after ${Math.round(tookMs)} ms</h4><pre>${answer}</pre></div></div>`
}
