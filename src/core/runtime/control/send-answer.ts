/** Sends an answer of the control API. */
import type { ServerResponse } from 'node:http'
import { sendBodyAndLinger } from '../server/lingering-close.ts'
import type { OutgoingReply } from '../server/messages.ts'
import type { ControlAnswer } from './answer.ts'

export const jsonText = (body: unknown): string => `${JSON.stringify(body)}\n`

export function replyOf({ status, body, headers, text: made }: ControlAnswer): OutgoingReply {
  const text = made ?? (body === undefined ? '' : jsonText(body))
  return {
    status,
    headers: {
      ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...(status === 204 ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: text,
  }
}

export function sendAnswer(response: ServerResponse, answer: ControlAnswer): void {
  const { status, headers, body = '' } = replyOf(answer)
  if (status === 413) {
    response.writeHead(status, { ...headers, connection: 'close' })
    sendBodyAndLinger(response.req, response, body)
    return
  }
  response.writeHead(status, headers)
  response.end(body)
}
