/** A second world with the same records. Records never change, so only the maps around them are copied. */
import type { World } from './world.ts'

export const cloneWorld = (world: World): World => ({
  agenda: {
    chunks: world.agenda.chunks.map((chunk) => [...chunk]),
    byId: new Map(world.agenda.byId),
    held: new Map(world.agenda.held),
    foreground: world.agenda.foreground,
    nextId: world.agenda.nextId,
  },
  ordering: {
    orders: new Map(world.ordering.orders),
    over: new Set(world.ordering.over),
    events: new Map(world.ordering.events),
    mailbox: new Map(world.ordering.mailbox),
    waiting: new Map(world.ordering.waiting),
  },
  store: { tickets: new Map(world.store.tickets), seen: new Set(world.store.seen) },
  partners: new Map(world.partners),
  tokens: new Map(world.tokens),
  calls: new Map(world.calls),
  nextCallId: world.nextCallId,
})
