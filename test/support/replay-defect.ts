/**
 * Recorded traffic with a service as it would have been with a defect: each message is passed through the defect in place of
 * a service, and what comes out of it is the traffic. Nothing follows from a changed message, as it would in a session.
 */
import type { Defect } from '../../src/certify/judge/defect.ts'
import type { TraceData } from '../../src/certify/judge/trace.ts'
import { compact } from '../../src/core/base/compact.ts'
import type { Exchange, ExchangeReply, ExchangeRequest } from '../../src/core/traffic/exchange.ts'
import { recogniseOperation } from '../../src/core/traffic/recognise-operation.ts'

/** Statuses whose replies have no body. */
const bodyless: ReadonlySet<number> = new Set([204, 205, 304])

const requestOf = ({ method, url, headers, body }: ExchangeRequest): Request =>
  new Request(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(method === 'GET' || body === undefined ? {} : { body }),
  })

const responseOf = ({ status, headers, body }: ExchangeReply): Response =>
  new Response(bodyless.has(status) ? null : (body ?? null), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })

const bodyOf = async (message: Request | Response): Promise<{ readonly body?: string }> => {
  const body = await message.text()
  return body === '' ? {} : { body }
}

const replyFrom = async (response: Response): Promise<ExchangeReply> => ({
  status: response.status,
  headers: [...response.headers],
  ...(await bodyOf(response)),
})

/** The exchange with another request: of another operation, when it goes elsewhere. */
async function withRequest(exchange: Exchange, request: Request): Promise<Exchange> {
  const { method, url, headers } = request
  const changed = { method, url, headers: [...headers], ...(await bodyOf(request)) }
  if (method === exchange.request.method && url === exchange.request.url)
    return { ...exchange, request: changed }
  const { operation: _operation, params: _params, ...rest } = exchange
  const found = recogniseOperation(method, url)
  return {
    ...rest,
    request: changed,
    ...compact({ operation: found?.row.id, params: found?.params }),
  }
}

/** A request to the service: its reply is what the defect makes of it. */
async function answered(
  exchange: Exchange,
  { answer }: Pick<Defect, 'answer'>,
): Promise<readonly Exchange[]> {
  const { reply } = exchange
  if (!answer || !reply) return [exchange]
  const usual = responseOf(reply)
  const response = await answer(requestOf(exchange.request), () => Promise.resolve(usual))
  return [response === usual ? exchange : { ...exchange, reply: await replyFrom(response) }]
}

/** A request of the service: what the defect sends in its place, each of which gets the same reply. */
async function called(
  exchange: Exchange,
  { call }: Pick<Defect, 'call'>,
): Promise<readonly Exchange[]> {
  const { reply } = exchange
  if (!call || !reply) return [exchange]
  const usual = requestOf(exchange.request)
  const sent: Exchange[] = []
  await call(usual, async (request) => {
    sent.push(request === usual ? exchange : await withRequest(exchange, request))
    return responseOf(reply)
  })
  return sent
}

/** Further numbers that an exchange has room for. */
const room = 10

export async function replayThroughDefect(trace: TraceData, defect: Defect): Promise<TraceData> {
  const active = defect.start?.() ?? defect
  const exchanges: Exchange[] = []
  for (const exchange of trace.exchanges) {
    const isCall = exchange.from.party === 'subject'
    const made = isCall ? await called(exchange, active) : await answered(exchange, active)
    // The first keeps its number, and so its step.
    exchanges.push(
      ...made.map((each, index) =>
        index === 0 ? each : { ...each, seq: exchange.seq + index / room },
      ),
    )
  }
  return { ...trace, exchanges }
}
