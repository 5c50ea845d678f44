/** Catalogue of panes, in the order of their numbers. */
import type { PaneId } from '../../model/layout.ts'
import { agendaPane } from './agenda.ts'
import { factsPane } from './facts.ts'
import { orderPane } from './order.ts'
import { ordersPane } from './orders.ts'
import type { Pane } from './pane.ts'
import { trafficPane } from './traffic.ts'

export const panesById: Readonly<Record<PaneId, Pane>> = {
  facts: factsPane,
  traffic: trafficPane,
  orders: ordersPane,
  order: orderPane,
  agenda: agendaPane,
}
