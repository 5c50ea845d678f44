/**
 * What the faults in force make of a call of ours to the subject: it goes out late, changed, in part or not at all, or its
 * answer is lost on the way back. For whoever planned the call all of that is a call that failed, and is tried again.
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
  /** The world that the calls come from is no more. */
  readonly struck: AbortSignal
}

export interface CallFaults {
  /** What a fault makes of a call, once it is time for it to go out. */
  readonly meet: (
    call: CallParts,
    event: Parameters<typeof callMeeting>[1],
  ) => Promise<Met | undefined>
  /** The request as it goes out; `sign` gives a body its signature. */
  readonly altered: (
    request: OutboundRequest,
    met: Met,
    sign: (body: string) => Readonly<Record<string, string>>,
  ) => OutboundRequest
  /** Makes the call, as far as the fault lets it. */
  readonly send: (
    reach: Reach,
    request: OutboundRequest,
    met: Met,
    sending: Sending,
  ) => Promise<InboundReply>
}

/** The body as it reached the other side, of a call that failed with this code. */
export function arrivedOf({ body, ...request }: OutboundRequest, code: string): OutboundRequest {
  if (body === undefined) return request
  return { ...request, body: code === 'TRUNCATED' ? halfOf(body).toString('utf8') : body }
}

export function createCallFaults({ engine, pause, struck }: CallFaultsOptions): CallFaults {
  const { world, settings } = engine

  const wait = ({ id, fault, orderId }: Met, ms: number): Promise<boolean> =>
    pause({ whose: 'call', ms, text: fault, orderId, fault: id, enough: struck })

  /** Whoever never hears anything waits as long as it waits for any answer. */
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
      // Somebody took it off the agenda while it waited.
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
