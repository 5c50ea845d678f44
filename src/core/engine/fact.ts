/**
 * A fact: something that has happened in our world. Only facts change the world, and the journal consists of them;
 * screens and logs show these kinds unchanged. Each kind is a row in the facts of its room.
 */
import { agendaFacts } from './agenda/facts.ts'
import { authFacts } from './auth/facts.ts'
import { callFacts } from './calls/facts.ts'
import { customerFacts } from './customer/facts.ts'
import type { FactIn, FactRow } from './fact-row.ts'
import { faultFacts } from './faults/facts.ts'
import { accountFacts } from './indoor/account-facts.ts'
import { tableFacts } from './indoor/table-facts.ts'
import type { Instant } from './instant.ts'
import { deliveryFacts } from './logistics/delivery-facts.ts'
import { platformFacts } from './logistics/platform-facts.ts'
import { shipmentFacts } from './logistics/shipment-facts.ts'
import { loyaltyGuestFacts } from './loyalty/guest-facts.ts'
import { loyaltyHostFacts } from './loyalty/host-facts.ts'
import { eventFacts } from './orders/event-facts.ts'
import { orderFacts } from './orders/facts.ts'
import { ticketFacts } from './orders/ticket-facts.ts'
import { pauseFacts } from './pauses/facts.ts'
import { playbackFacts } from './playback/facts.ts'
import { sessionFacts } from './session/facts.ts'
import { v1Facts } from './v1/facts.ts'
import type { World } from './world.ts'

const factRows = {
  ...sessionFacts,
  ...agendaFacts,
  ...orderFacts,
  ...eventFacts,
  ...ticketFacts,
  ...authFacts,
  ...callFacts,
  ...accountFacts,
  ...tableFacts,
  ...deliveryFacts,
  ...shipmentFacts,
  ...platformFacts,
  ...customerFacts,
  ...loyaltyHostFacts,
  ...loyaltyGuestFacts,
  ...v1Facts,
  ...faultFacts,
  ...pauseFacts,
  ...playbackFacts,
}

export type Fact = FactIn<typeof factRows>

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>

const rowOf = ({ kind }: Fact): FactRow<Fact> => factRows[kind] as FactRow<Fact>

/** The reducer: applies one fact to the world, in place and in O(1). */
export const apply = (world: World, fact: Fact, at: Instant): void =>
  rowOf(fact).apply?.(world, fact, at)

/** One line, for journal rows and log lines. */
export const factText = (fact: Fact, world: World): string => rowOf(fact).text(fact, world)

/** Order id of a fact; undefined for none or several. */
export function orderIdOfFact(fact: Fact, world: World): string | undefined {
  const row = rowOf(fact)
  if (row.orderId) return row.orderId(fact, world)
  return 'orderId' in fact ? fact.orderId : undefined
}
