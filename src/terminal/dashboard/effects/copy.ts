/** Copies a text, or a part of an exchange or an item, to the clipboard of the terminal. */
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { curlCommand } from '../../../core/traffic/curl-command.ts'
import type { Message } from '../model/message.ts'
import { noticeMessage } from './notice.ts'
import type { DashboardPorts } from './ports.ts'
import type { CopySource } from '../model/prompts.ts'

const gone = 'it is no longer kept'

type ExchangeSource = Extract<CopySource, { readonly kind: 'exchange' }>

async function exchangeOf(
  session: SessionApi,
  of: ExchangeSource['of'],
): Promise<Exchange | undefined> {
  if ('seq' in of) return (await session.look({ exchange: of.seq })).exchange
  return (await session.look({ playback: { pair: of.place } })).playback?.pair?.recorded
}

function partOf({ request, reply, ...rest }: Exchange, part: ExchangeSource['part']) {
  switch (part) {
    case 'url':
      return ok(request.url)
    case 'request':
      return request.body === undefined ? err('the request has no body') : ok(request.body)
    case 'reply':
      if (!reply) return err('there was no reply')
      return reply.body === undefined || reply.body === ''
        ? err('the reply has no body')
        : ok(reply.body)
    case 'curl':
      return ok(curlCommand({ ...rest, request }))
    default:
      return part satisfies never
  }
}

async function textOf(session: SessionApi, source: CopySource): Promise<Result<string, string>> {
  if (source.kind === 'text') return ok(source.text)
  if (source.kind === 'exchange') {
    const exchange = await exchangeOf(session, source.of)
    return exchange ? partOf(exchange, source.part) : err(gone)
  }
  const { item } = await session.look({ item: source.id })
  return item ? ok(JSON.stringify(item.event?.fields ?? item.command, null, 2)) : err(gone)
}

const sizeText = (text: string): string => {
  const lines = text.split('\n').length
  return lines > 1 ? `${text.length} characters in ${lines} lines` : `${text.length} characters`
}

export async function copyToClipboard(
  session: SessionApi,
  { name, source }: { readonly name: string; readonly source: CopySource },
  { copyText }: DashboardPorts,
): Promise<readonly Message[]> {
  if (!copyText) return [noticeMessage('nothing is copied: this is no terminal', 'muted')]
  const text = await textOf(session, source)
  if (!text.ok) return [noticeMessage(`${name} is not copied: ${text.error}`, 'warn')]
  const copied = copyText(text.value)
  if (!copied.ok) return [noticeMessage(`${name} is not copied: ${copied.error}`, 'warn')]
  const asSent = source.kind === 'exchange' && source.part === 'curl' ? ', with its token' : ''
  return [noticeMessage(`copied: ${name}${asSent}, ${sizeText(text.value)}`, 'ok')]
}
