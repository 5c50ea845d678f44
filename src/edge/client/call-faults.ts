/**
 * Applies active faults to our calls to the subject: delays, alters, truncates or drops the request, or loses its reply.
 * To the engine such a call has failed and is retried.
 */
import { compact } from '../../compact.ts'
import type { Engine } from '../../engine/engine.ts'
import { couldAnyFaultMatch } from '../../engine/faults/match.ts'
import { changeBody } from '../../faults/change-body.ts'
import { CallFailure } from './call-failure.ts'
import { halfOf, piecesOf } from '../server/send-distorted.ts'
import { withHeaders } from '../server/host-faults.ts'
import { type CallParts, callMeeting, followUp, meet, type Met } from '../server/fault-points.ts'
import type { InboundReply, OutboundRequest, Reach, Sending } from '../server/messages.ts'
import type { Pause } from '../clock/pauses.ts'

export interface CallFaultsOptions {
  readonly engine: Engine
  readonly pause: Pause
  /** Aborted when the world that the calls belong to is stopped. */
  readonly struck: AbortSignal
}

export interface CallFaults {
  /** The fault that hits a call, if any; resolves after the fault's delay. */
  readonly meet: (
    call: CallParts,
    event: Parameters<typeof callMeeting>[1],
  ) => Promise<Met | undefined>
  /** The request as it goes out; `sign` returns the signature headers of a body. */
  readonly altered: (
    request: OutboundRequest,
    met: Met,
    sign: (body: string) => Readonly<Record<string, string>>,
  ) => OutboundRequest
  /** Sends the request as distorted by the fault. */
  readonly send: (
    reach: Reach,
    request: OutboundRequest,
    met: Met,
    sending: Sending,
  ) => Promise<InboundReply>
}

/** The request as the receiver got it, of a call that failed with this code: a truncated body is half. */
export function arrivedOf({ body, ...request }: OutboundRequest, code: string): OutboundRequest {
  if (body === undefined) return request
  return { ...request, body: code === 'TRUNCATED' ? halfOf(body).toString('utf8') : body }
}

export function createCallFaults({ engine, pause, struck }: CallFaultsOptions): CallFaults {
  const { world, settings } = engine

  const wait = ({ id, fault, orderId }: Met, ms: number): Promise<boolean> =>
    pause({ whose: 'call', ms, text: fault, orderId, fault: id, enough: struck })

  /** Fails a call; with `hang`, only after the answer timeout. */
  async function lost(met: Met, code: 'UNSENT' | 'LOST'): Promise<never> {
    if (met.distortion.end === 'hang') await wait(met, settings.conduct.answerTimeout)
    const what = code === 'UNSENT' ? 'the call never left' : 'its answer was lost'
    throw new CallFailure(code, `${what}: ${met.fault}`)
  }

  function bodyOf({ body }: OutboundRequest, met: Met): Pick<Sending, 'body'> {
    const { end, afterMs = 0 } = met.distortion
    if (body === undefined || end === undefined) return {}
    if (end === 'cut') return { body: 'cut' }
    if (end !== 'trickle') return {}
    const each = Math.floor(afterMs / piecesOf(Buffer.from(body)).length)
    return { body: { pause: () => wait(met, each) } }
  }

  return {
    async meet(call, event) {
      if (!couldAnyFaultMatch(world, { kind: 'call', operation: call.operation })) return undefined
      const met = meet(engine, callMeeting(call, event, world))
      if (!met) return undefined
      const { distortion } = met
      followUp(engine, distortion)
      const { afterMs = 0, end } = distortion
      if (afterMs === 0 || end === 'trickle' || (await wait(met, afterMs))) return met
      // Its item was dropped from the agenda during the delay.
      return { ...met, distortion: { effect: false } }
    },
    altered(request, { distortion }, sign) {
      const { change, signedBefore, headers } = distortion
      const body =
        change && request.body !== undefined ? changeBody(request.body, change) : request.body
      const fits = signedBefore || body === undefined ? {} : sign(body)
      return {
        ...request,
        headers: withHeaders({ ...request.headers, ...fits }, headers),
        ...compact({ body }),
      }
    },
    async send(reach, request, met, sending) {
      const { effect, end, reply } = met.distortion
      const cut = end === 'cut' && request.body !== undefined
      if (!effect && !cut) return lost(met, 'UNSENT')
      const answer = await reach(request, { ...sending, ...bodyOf(request, met) })
      return reply || end === 'reset' || end === 'hang' ? lost(met, 'LOST') : answer
    },
  }
}
