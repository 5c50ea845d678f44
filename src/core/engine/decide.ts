/** Decides a command: facts or a refusal. Looks up the decision of its kind, which stands in its room. */
import { agendaDecisions } from './agenda/decide.ts'
import { authDecisions } from './auth/decide.ts'
import { callDecisions } from './calls/decide.ts'
import type { Command } from './command.ts'
import type { Decision, DecisionContext, Decisions } from './decision.ts'
import { customerDecisions } from './customer/decide.ts'
import { faultDecisions } from './faults/decide.ts'
import { indoorDecisions } from './indoor/decide.ts'
import { platformDecisions } from './logistics/delivery-commands.ts'
import { shipmentDecisions } from './logistics/shipment-commands.ts'
import { loyaltyDecisions } from './loyalty/decide.ts'
import { cancellationDecisions } from './orders/decide-cancellation.ts'
import { eventDecisions } from './orders/decide-event.ts'
import { orderDecisions } from './orders/decide-order.ts'
import { ticketDecisions } from './orders/decide-ticket.ts'
import { pauseDecisions } from './pauses/decide.ts'
import { playbackDecisions } from './playback/decide.ts'
import { sessionDecisions } from './session/decide.ts'
import { v1Decisions } from './v1/decide.ts'

const decisions: Decisions<Command> = {
  ...sessionDecisions,
  ...agendaDecisions,
  ...orderDecisions,
  ...cancellationDecisions,
  ...eventDecisions,
  ...ticketDecisions,
  ...authDecisions,
  ...callDecisions,
  ...indoorDecisions,
  ...platformDecisions,
  ...shipmentDecisions,
  ...customerDecisions,
  ...loyaltyDecisions,
  ...v1Decisions,
  ...faultDecisions,
  ...pauseDecisions,
  ...playbackDecisions,
}

export const decide = (command: Command, context: DecisionContext): Decision =>
  (decisions[command.kind] as (command: Command, context: DecisionContext) => Decision)(
    command,
    context,
  )
