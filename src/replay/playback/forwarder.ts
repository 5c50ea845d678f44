/**
 * Passes calls on that a recording cannot answer: to the partner that it stands for, with a token of that partner in
 * place of ours.
 */
import { compact } from '../../core/base/compact.ts'
import { joinUrl } from '../../core/base/join-url.ts'
import { isTransportHeader } from '../../core/traffic/replayable-headers.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { failedOutcome } from '../../core/runtime/client/call-outcome.ts'
import {
  headerFields,
  type InboundReply,
  type IncomingRequest,
  joinedFields,
  type OutgoingReply,
  type Transport,
} from '../../core/runtime/server/messages.ts'

export interface ForwarderOptions {
  /** Base URL of the partner. */
  readonly target: string
  readonly transport: Transport
  /** Milliseconds. */
  readonly now: () => number
}

export type Forwarder = ReturnType<typeof createForwarder>

const json = { 'content-type': 'application/json; charset=utf-8' } as const

/** No compressed answer is asked for: a recording keeps answers as text. */
const isForwarded = (name: string): boolean =>
  name !== 'accept-encoding' && !name.startsWith('proxy-') && isPassedOn(name)

/** Bodies are passed on as they come, and so is their coding. */
const isPassedOn = (name: string): boolean =>
  name === 'content-encoding' || !isTransportHeader(name)

const repliedWith = ({ status, headers, body, bytes }: InboundReply): OutgoingReply => ({
  status,
  headers: headerFields(headers, isPassedOn),
  ...(body === '' ? {} : { body }),
  ...compact({ bytes }),
})

const isBearer = (request: IncomingRequest): boolean =>
  /^bearer /i.test(request.header('authorization') ?? '')

/** A token is used for this share of its time. */
const usedShare = 0.9

interface PartnerToken {
  readonly value: string
  readonly until: number
}

export function createForwarder({ target, transport, now }: ForwarderOptions) {
  let tokenRequest: IncomingRequest | undefined
  let token: Promise<PartnerToken | undefined> | undefined

  function send(
    { method, target: path, headers, body, bytes }: IncomingRequest,
    bearer?: string,
  ): Promise<InboundReply> {
    return transport({
      method,
      url: joinUrl(target, path),
      headers: {
        ...joinedFields(headers, isForwarded),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      ...(body === '' ? {} : { body }),
      ...compact({ bytes }),
    })
  }

  async function requestToken(request: IncomingRequest): Promise<PartnerToken | undefined> {
    const { status, body } = await send(request)
    const parsed = status < 300 ? tryParseJson(body) : undefined
    const member = (name: string): unknown =>
      typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined
    const value = member('access_token')
    const seconds = Number(member('expires_in') ?? Number.POSITIVE_INFINITY)
    return typeof value === 'string'
      ? { value, until: now() + seconds * 1000 * usedShare }
      : undefined
  }

  /** The partner's token; undefined where it gives none: then the call goes on as it came. */
  async function tokenOf(renewed: boolean): Promise<string | undefined> {
    if (!tokenRequest) return undefined
    const known = renewed ? undefined : await token
    if (known && known.until > now()) return known.value
    token = requestToken(tokenRequest).catch(() => undefined)
    return (await token)?.value
  }

  async function exchanged(request: IncomingRequest): Promise<InboundReply> {
    const bearer = isBearer(request) ? await tokenOf(false) : undefined
    const first = await send(request, bearer)
    if (first.status !== 401 || bearer === undefined) return first
    const renewed = await tokenOf(true)
    return renewed === undefined ? first : send(request, renewed)
  }

  return {
    target,
    /** To be called with each token request of the service: with the same one a token of the partner is requested. */
    onTokenRequest(request: IncomingRequest) {
      tokenRequest = request
      token = undefined
    },
    /** Sends the call there; a partner that cannot be reached is a 502 with the reason. Never rejects. */
    forward: (request: IncomingRequest): Promise<OutgoingReply> =>
      exchanged(request).then(repliedWith, (error: unknown) => {
        const { code, message } = failedOutcome(error)
        const text = `${request.method} ${request.target.slice(0, 200)} could not be passed on to ${target}: ${message} (${code})`
        return {
          status: 502,
          headers: json,
          body: JSON.stringify({ error: { code: 'NOT_PASSED_ON', message: text } }),
        }
      }),
  }
}
