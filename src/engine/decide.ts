/** Decides a command: facts or a refusal. Dispatches only; each capability decides its own commands. */
import { ok, assertNever } from '../protocol/result.ts'
import { decideAgenda } from './agenda/commands.ts'
import { decideAuth } from './auth/decide.ts'
import { decideCall } from './calls/decide.ts'
import { type Command, isRowCommand, type RowCommand } from './command.ts'
import type { DecisionContext, Decision, Decisions } from './decision.ts'
import { decideCancellation } from './orders/cancellation-commands.ts'
import { decideEvent } from './orders/event-commands.ts'
import { customerDecisions } from './customer/decide.ts'
import { decideFault } from './faults/decide.ts'
import { indoorDecisions } from './indoor/decide.ts'
import { decideLogistics } from './logistics/decide.ts'
import { decideLoyalty } from './loyalty/decide.ts'
import { initialLoyaltyFacts } from './loyalty/program-commands.ts'
import { isOfCapability } from './capability-kind.ts'
import { decideOrder } from './orders/decide.ts'
import { decideTicket } from './orders/ticket-commands.ts'
import { decidePlayback } from './playback/decide.ts'
import { v1Decisions } from './v1/decide.ts'
import { decidePause } from './pauses/decide.ts'

const decisions: Decisions<RowCommand> = {
  ...indoorDecisions,
  ...v1Decisions,
  ...customerDecisions,
}

export function decide(command: Command, context: DecisionContext): Decision {
  if (isRowCommand(command))
    return (decisions[command.kind] as (command: RowCommand, context: DecisionContext) => Decision)(
      command,
      context,
    )
  switch (command.kind) {
    case 'session.open':
      return ok([
        { kind: 'session.opened', roles: context.settings.roles },
        ...initialLoyaltyFacts(context.settings),
      ])
    case 'session.configure':
      return ok([{ kind: 'session.configured', changes: command.changes }])
    case 'agenda.plan':
    case 'agenda.hold':
    case 'agenda.release':
    case 'agenda.drop':
    case 'agenda.duplicate':
    case 'agenda.delay':
    case 'agenda.move':
    case 'agenda.edit':
    case 'agenda.arrange':
    case 'agenda.batch':
    case 'agenda.undo':
    case 'agenda.redo':
      return decideAgenda(command, context)
    case 'order.create':
    case 'order.request':
    case 'order.apply':
    case 'order.track':
    case 'order.amend':
      return decideOrder(command, context)
    case 'cancellation.request':
    case 'cancellation.answer':
    case 'item.request-cancel':
    case 'item.cancel':
      return decideCancellation(command, context)
    case 'event.emit':
    case 'event.invent':
    case 'event.alter':
    case 'event.offer':
    case 'event.push':
    case 'events.poll':
    case 'events.acknowledge':
      return decideEvent(command, context)
    case 'ticket.notify':
    case 'ticket.advance':
    case 'ticket.reconcile':
    case 'ticket.cancel':
    case 'ticket.cancel-item':
      return decideTicket(command, context)
    case 'consent.ask':
    case 'token.issue':
    case 'token.revoke':
      return decideAuth(command, context)
    case 'partner.trust':
    case 'call.place':
    case 'call.conclude':
      return decideCall(command, context)
    default:
      if (isOfCapability(command, 'delivery', 'shipment')) return decideLogistics(command, context)
      if (isOfCapability(command, 'loyalty', 'reward')) return decideLoyalty(command, context)
      if (isOfCapability(command, 'fault')) return decideFault(command, context)
      if (isOfCapability(command, 'pause')) return decidePause(command, context)
      if (isOfCapability(command, 'playback')) return decidePlayback(command, context)
      return assertNever(command)
  }
}
