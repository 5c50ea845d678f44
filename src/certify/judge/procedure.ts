/**
 * A procedure: what is done so that clauses come up: calls to the service, orders and events of our counterparts, requests
 * to a person. It decides nothing about a verdict; the checks look at the traffic that it leaves.
 */
import type { Command } from '../../core/engine/command.ts'
import type { SettingChange } from '../../core/engine/session/setting-change.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import type { OrderEventType } from '../../core/protocol/orders/events.ts'
import type { OrderType } from '../../core/protocol/orders/order.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { FaultSpec } from '../../core/session-api/session.ts'
import type { CreatedOrder, NewOrder } from '../../core/session-api/new-order.ts'
import type { ServiceCall } from '../../core/session-api/service-call.ts'
import type { CertificationData } from './certification-data.ts'
import type { Observed } from '../../core/rules/checks/trace.ts'

/** An action that only the service or a person at it can trigger. */
export type ServiceAction =
  | {
      readonly kind: 'create-order'
      readonly type: OrderType
      /**
       * With whatever an order may hold: two items at least, one of them more than once; options within options, remarks,
       * a scheduled time.
       */
      readonly isFull?: true
      /** Part of an order document: what the order should have, where the service has a choice. */
      readonly document?: Readonly<Record<string, unknown>>
    }
  /** The order is cancelled: by an Ordering Application itself, at the request of a Software Service. */
  | {
      readonly kind: 'cancel-order'
      readonly orderId: string
      /** As an instruction to a person, where it is to be done in one manner only. */
      readonly instruction?: string
      /** Does it where the service is a session of ours; the Ordering Application cancels it when absent. */
      readonly command?: Command
    }
  /** The service begins anew, as after a restart: it has no manifest of ours and no token. */
  | { readonly kind: 'begin-anew' }
  /** A cancellation request, which was made already, is to be denied. */
  | { readonly kind: 'deny-cancellation'; readonly orderId: string }
  /** What the kitchen and the courier do on their own: events of these types, as far as the service has them. */
  | {
      readonly kind: 'emit-events'
      readonly orderId: string
      readonly eventTypes: readonly OrderEventType[]
    }
  /**
   * Anything else, as an instruction to a person: "Let the delivery of order … fail at your side". The command does it
   * where the service is a session of ours; programs get its ids and words as well.
   */
  | {
      readonly kind: 'other'
      readonly instruction: string
      readonly command?: Command
      /** The operation that the service is to call. */
      readonly operation?: OperationId
      /** The table as its guests know it: "V-123456". */
      readonly table?: string
    }

/** Waits on the session's clock. */
export interface WaitLimit {
  /** Longest wait in ms; 10 s when absent. */
  readonly within?: number
  /** What is waited for, by the names of the wire: "CREATED of a new order"; what the procedure does when absent. */
  readonly what?: string
}

/** What an action brings about: `{ note: 'cancelled-order', text: orderId }`. */
export interface BroughtAbout {
  readonly note: string
  readonly text: string
  /** Of free text the member of bodies that holds it: a recording has its length only. */
  readonly member?: string
}

export type EndFault = () => void

/** What a procedure may do. Everything that cannot be done ends it: then its checks are skipped, with the reason. */
export interface ProcedureContext {
  /** The role of the service. */
  readonly role: Role
  readonly capabilities: readonly Capability[]
  /** Ids that exist at the service. */
  readonly data: CertificationData
  /** Calls the service as one exchange, which gets the label of the step. Never rejects. */
  readonly call: (step: string, call: ServiceCall) => Promise<Observed>
  /** Exchanges with the service so far, also those of our counterparts; of this procedure's time only. */
  readonly observed: () => readonly Observed[]
  /** Exchanges with the service before this procedure. */
  readonly earlier: () => readonly Observed[]
  /** The first result that is neither undefined nor false; undefined when there was none in time. */
  readonly until: <Value>(
    find: () => Value | undefined | false,
    options?: WaitLimit,
  ) => Promise<Value | undefined>
  /** Called while something is waited for: a long wait is reported, with the clauses that it is for. */
  readonly waits: (since: number, limit: WaitLimit) => void
  /** Lets time pass. */
  readonly sleep: (ms: number) => Promise<void>
  /** What comes in this time still counts: other procedures go on, and the certification does not end before. */
  readonly watch: (ms: number) => void
  /** Places an order at our Ordering Application. */
  readonly createOrder: (action?: NewOrder) => Promise<CreatedOrder>
  /** Submits a command to our counterparts; ends the procedure when it is refused. */
  readonly submit: (command: Command) => Promise<void>
  /** Changes settings of our counterparts, of those that take effect at once, until the procedure is over. */
  readonly configure: (changes: readonly SettingChange[]) => Promise<void>
  /** Puts a fault in force until the procedure is over, or until it is ended. */
  readonly fault: (spec: FaultSpec) => EndFault
  /** Has something done at the service: by a command, by its API for tests, or by a person. */
  readonly ask: (action: ServiceAction) => Promise<void>
  /** An id that nothing has, of the form that others have; different with each call. */
  readonly unknownId: () => string
  /** A number below this; from the seed. */
  readonly random: (below: number) => number
  /** The instant, for dates in bodies. */
  readonly now: () => number
  /** Writes down for the checks what is so already, or is about to be observed. */
  readonly note: (name: string, text: string) => void
  /**
   * Does something, and writes down what it has brought about: from the moment before it, and only if it was done. A call
   * that is refused has brought about nothing.
   */
  readonly bringAbout: <Result>(fact: BroughtAbout, act: () => Promise<Result>) => Promise<Result>
  /** Something that stays at the service and could not be undone: "customer 123", for the report. */
  readonly leaves: (what: string) => void
  /** Ends the procedure: what it needs is not there. */
  readonly skip: (why: string) => never
}

export interface Procedure {
  /** Name in steps, plans and checks: `order-life`. */
  readonly name: string
  /** What is done, as a sentence without a subject: "Takes an order of each profile to its end". */
  readonly about: string
  /** Roles of a service with which it can be carried out. */
  readonly roles: readonly Role[]
  readonly needs?: readonly Capability[]
  /** What has to be done at the service: orders that only it can create. */
  readonly actions?: readonly string[]
  /** What it changes at the service, for the plan; nothing when absent. */
  readonly changes?: string
  /** Its own calls are wrong on purpose: only checks that name it look at them. */
  readonly isMisuse?: true
  readonly run: (context: ProcedureContext) => Promise<void>
}

type Shared = Partial<Omit<Procedure, 'name' | 'run'>>

/** Procedures by their names, in the order in which they are carried out, with what they share. */
export const defineProcedures = <const Own extends Shared>(
  shared: Own,
  rows: Readonly<Record<string, Omit<Procedure, 'name' | keyof Own> & Shared>>,
): readonly Procedure[] =>
  Object.entries(rows).map(([name, row]) => ({ ...shared, name, ...row }) as unknown as Procedure)

/** Why procedures were not carried out to their end when a certification ended before its time. */
export const endedEarly = { byPerson: 'interrupted', byService: 'your service went away' } as const

/** Ends a procedure whose needs are not met. */
export class ProcedureSkipped extends Error {
  override readonly name = 'ProcedureSkipped'
}

/** Does several things at once. One of them that ends the procedure does so when all others are over. */
export async function atOnce(works: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(works)
  await Promise.all(works)
}

/** How long an accepted call may take to show its effect, in ms. */
export const maxEffectMs = 15_000
const readEveryMs = 500

/**
 * Reads again until the reading holds, since accepted calls take effect later (202), or until the time is over; returns
 * the last reading.
 */
export async function readUntil<Reading>(
  context: Pick<ProcedureContext, 'now' | 'sleep' | 'waits'>,
  read: () => Promise<Reading>,
  holds: (reading: Reading) => boolean,
  { within = maxEffectMs, ...limit }: WaitLimit = {},
): Promise<Reading> {
  const begun = context.now()
  for (;;) {
    const reading = await read()
    if (holds(reading) || context.now() >= begun + within) return reading
    context.waits(begun, { within, ...limit })
    await context.sleep(readEveryMs)
  }
}
