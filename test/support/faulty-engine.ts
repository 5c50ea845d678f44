/**
 * The engine with faults but without a session: tests move the orders, every webhook succeeds at once, and handovers
 * are listed in order with their instants.
 */
import { pollingReactor } from '../../src/core/engine/channels/polling.ts'
import { webhookReactor } from '../../src/core/engine/channels/webhook.ts'
import type { Command } from '../../src/core/engine/command.ts'
import type { Engine } from '../../src/core/engine/engine.ts'
import type { Fact } from '../../src/core/engine/fact.ts'
import type { MessagePoint } from '../../src/core/engine/faults/fault-point.ts'
import { faultPort } from '../../src/core/faults/port.ts'
import { nextDue } from '../../src/core/engine/agenda/agenda.ts'
import type { OperationId } from '../../src/core/protocol/catalogue.ts'
import type { OrderTrigger } from '../../src/core/protocol/orders/lifecycle.ts'
import { plainOrder } from './plain-order.ts'
import { noon, transcript, type TranscriptOptions } from './transcript.ts'

export interface FaultyEngine {
  readonly engine: Engine
  /** Activates a fault; throws when it is refused. */
  readonly fault: (spec: unknown) => FaultyEngine
  readonly order: (id: string) => FaultyEngine
  readonly apply: (id: string, ...triggers: readonly OrderTrigger[]) => FaultyEngine
  readonly submit: (command: Command) => readonly Fact[]
  /** Advances the time by `ms`, running everything that comes due. */
  readonly pass: (ms: number) => FaultyEngine
  /** The handovers so far: `a CREATED polling +0`, with milliseconds since noon. */
  readonly handovers: () => readonly string[]
  /** The fault hits so far: `drop on ev(o1,CONFIRMED,polling)`. */
  readonly fired: () => readonly string[]
  /** The name of the fault that a request hits, if any. */
  readonly requestFault: (
    meeting: Partial<MessagePoint> & { operation: OperationId },
  ) => string | undefined
}

export type FaultyEngineOptions = Pick<TranscriptOptions, 'seed' | 'channel' | 'journalWindow'>

export function openFaultyEngine(options: FaultyEngineOptions = {}): FaultyEngine {
  const atOnce = { delayMs: () => 0, repeatsOneIn: 0 }
  const { engine } = transcript({
    ...options,
    reactors: [pollingReactor(atOnce), webhookReactor(() => atOnce)],
    faults: faultPort,
  })
  const { world } = engine
  const handed: string[] = []
  const fired: string[] = []

  engine.onFact(({ fact, at }) => {
    if (fact.kind === 'fault.fired') fired.push(`${fact.name} on ${fact.on}`)
    const channel =
      fact.kind === 'event.offered'
        ? 'polling'
        : fact.kind === 'event.pushed'
          ? 'webhook'
          : undefined
    if (channel === undefined || !('eventId' in fact)) return
    const event = world.ordering.events.get(fact.eventId)
    handed.push(`${event?.orderId} ${event?.eventType} ${channel} +${at - noon}`)
  })

  function say(command: Command): readonly Fact[] {
    const decision = engine.submit(command)
    if (!decision.ok) throw new Error(decision.error.message)
    return decision.value
  }

  say({ kind: 'partner.trust', from: 'ordering-application', partner: 'software-service' })

  /** Every webhook is accepted. */
  function takeCalls(): void {
    for (const callId of world.calls.keys())
      say({ kind: 'call.conclude', callId, outcome: { kind: 'answered', status: 204 } })
  }

  const made: FaultyEngine = {
    engine,
    submit: say,
    fault: (spec) => {
      say({ kind: 'fault.add', spec })
      return made
    },
    order: (id) => {
      say({ kind: 'order.create', order: plainOrder(id) })
      return made
    },
    apply: (orderId, ...triggers) => {
      for (const trigger of triggers) say({ kind: 'order.apply', orderId, trigger })
      return made
    },
    pass: (ms) => {
      const until = engine.now() + ms
      for (let due = nextDue(world.agenda); due !== undefined && due <= until;) {
        engine.take()
        takeCalls()
        due = nextDue(world.agenda)
      }
      engine.advanceTo(until)
      return made
    },
    handovers: () => handed,
    fired: () => fired,
    requestFault: (meeting) => {
      const whole = {
        kind: 'answer',
        method: 'POST',
        from: 'software-service',
        to: 'ordering-application',
        events: [],
        ...meeting,
      } as MessagePoint
      const facts = say({ kind: 'fault.meet', meeting: whole })
      return facts.find((fact) => fact.kind === 'fault.fired')?.name
    },
  }
  return made
}
