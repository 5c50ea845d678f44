/**
 * Applies active faults to our calls to the subject: delays, alters, truncates or drops the request, or loses its
 * reply. To the engine such a call has failed and is retried.
 */
import { compact } from '../../base/compact.ts'
import type { Engine } from '../../engine/engine.ts'
import { couldAnyFaultMatch } from '../../engine/faults/match.ts'
import type { SubjectCrash } from '../../engine/faults/distortion.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import { signatureFormOf } from '../../protocol/signature.ts'
import { changeBody } from '../../faults/change-body.ts'
import { CallFailure } from './call-outcome.ts'
import { firstHalf, splitBody } from '../server/send-distorted.ts'
import { mergeHeaders } from '../server/host-faults.ts'
import {
  type CallPointParts,
  callPointOf,
  endSubject,
  submitFollowUps,
  triggerFault,
  type FaultHit,
} from '../server/fault-points.ts'
import {
  contentOf,
  type InboundReply,
  type OutboundRequest,
  type Transport,
  type SendOptions,
} from '../server/messages.ts'
import type { SignedParts } from './signature.ts'
import type { Pause } from '../clock/pauses.ts'

export interface CallFaultsOptions {
  readonly engine: Engine
  readonly pause: Pause
  /** Aborted when the world that the calls belong to is stopped. */
  readonly worldStopped: AbortSignal
}

export interface CallFaults {
  /** The fault that hits a call, if any; resolves after the fault's delay. */
  readonly triggerFault: (
    call: CallPointParts,
    event: Parameters<typeof callPointOf>[1],
  ) => Promise<FaultHit | undefined>
  /** The request as it goes out; `sign` makes the signature header. */
  readonly alterRequest: (
    request: OutboundRequest,
    hit: FaultHit,
    sign: (parts: SignedParts) => Readonly<Record<string, string>>,
  ) => OutboundRequest
  /** Sends the request as distorted by the fault. */
  readonly send: (
    transport: Transport,
    request: OutboundRequest,
    hit: FaultHit,
    sending: SendOptions,
  ) => Promise<InboundReply>
}

/** The request as the receiver got it, of a call that failed with this code: a truncated body is half. */
export function requestAsReceived(
  { body, ...request }: OutboundRequest,
  code: string,
): OutboundRequest {
  if (body === undefined) return request
  return { ...request, body: code === 'TRUNCATED' ? firstHalf(body).toString('utf8') : body }
}

/** A forged signature in the header of this session's form; where there is none a token proves who sends. */
function inForm(
  headers: Readonly<Record<string, string>> = {},
  conduct: Conduct,
): Readonly<Record<string, string>> {
  const { 'x-app-signature': signature, ...others } = headers
  if (signature === undefined) return headers
  const form = signatureFormOf(conduct)
  if (form) return { ...others, [form.header.toLowerCase()]: signature }
  return { ...others, authorization: signature === '' ? '' : `Bearer ${signature}` }
}

export function createCallFaults({ engine, pause, worldStopped }: CallFaultsOptions): CallFaults {
  const { world, settings } = engine

  const wait = ({ id, fault, orderId }: FaultHit, ms: number): Promise<boolean> =>
    pause({ whose: 'call', ms, text: fault, orderId, fault: id, enough: worldStopped })

  /** Fails a call; with `hang`, only after the answer timeout. */
  async function failCall(hit: FaultHit, code: 'UNSENT' | 'LOST'): Promise<never> {
    if (hit.distortion.end === 'hang') await wait(hit, settings.conduct.answerTimeout)
    const what = code === 'UNSENT' ? 'the call never left' : 'its answer was lost'
    throw new CallFailure(code, `${what}: ${hit.fault}`)
  }

  /** Before the answer: the process ends with the request in its hands, and whatever it answers is lost. */
  async function sendToCrash(
    crash: SubjectCrash,
    lose: () => Promise<never>,
    send: (options: Pick<SendOptions, 'onWritten'>) => Promise<InboundReply>,
  ): Promise<InboundReply> {
    const end = (): void => endSubject(engine, crash)
    if (crash.when === 'after-answer') {
      const answer = await send({})
      // An error is no acknowledgment.
      if (answer.status < 300) end()
      return answer
    }
    let isWritten = false
    function onWritten(): void {
      isWritten = true
      end()
    }
    await send({ onWritten }).catch((error: unknown) => {
      if (!isWritten) throw error
    })
    return lose()
  }

  function bodyDistortion({ body }: OutboundRequest, hit: FaultHit): Pick<SendOptions, 'body'> {
    const { end, afterMs = 0 } = hit.distortion
    if (body === undefined || end === undefined) return {}
    if (end === 'truncate') return { body: 'truncate' }
    if (end !== 'slow-body') return {}
    const pieceMs = Math.floor(afterMs / splitBody(Buffer.from(body)).length)
    return { body: { pause: () => wait(hit, pieceMs) } }
  }

  return {
    async triggerFault(call, event) {
      if (!couldAnyFaultMatch(world, { kind: 'call', operation: call.operation })) return undefined
      const hit = triggerFault(engine, callPointOf(call, event, world))
      if (!hit) return undefined
      const { distortion } = hit
      submitFollowUps(engine, distortion)
      const { afterMs = 0, end } = distortion
      if (afterMs === 0 || end === 'slow-body' || (await wait(hit, afterMs))) return hit
      // Its item was dropped from the agenda during the delay.
      return { ...hit, distortion: { effect: false } }
    },
    alterRequest(request, { distortion }, sign) {
      const { change, signedBefore, headers } = distortion
      const { body: before, bytes, ...rest } = request
      // Of a changed body that was no text the text is sent.
      const sent =
        change && before !== undefined
          ? { body: changeBody(before, change) }
          : compact({ body: before, bytes })
      const body = contentOf(sent)
      const signed = signedBefore || body === undefined ? {} : sign({ url: request.url, body })
      return {
        ...rest,
        headers: mergeHeaders({ ...request.headers, ...signed }, inForm(headers, settings.conduct)),
        ...sent,
      }
    },
    async send(transport, request, hit, sending) {
      const { effect, end, reply, crash } = hit.distortion
      if (crash)
        return sendToCrash(
          crash,
          () => failCall(hit, 'LOST'),
          (options) => transport(request, { ...sending, ...options }),
        )
      const truncated = end === 'truncate' && request.body !== undefined
      if (!effect && !truncated) return failCall(hit, 'UNSENT')
      const answer = await transport(request, { ...sending, ...bodyDistortion(request, hit) })
      return reply || end === 'reset' || end === 'hang' ? failCall(hit, 'LOST') : answer
    },
  }
}
