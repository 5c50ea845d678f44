/** Decides the commands of Logistics, of the Delivery Platform and of its consumers. */
import type { DecisionContext, Decision } from '../decision.ts'
import { isOfCapability } from '../capability-kind.ts'
import type { LogisticsCommand } from './command.ts'
import { decideDelivery } from './delivery-commands.ts'
import { decideShipment } from './shipment-commands.ts'

export const decideLogistics = (command: LogisticsCommand, context: DecisionContext): Decision =>
  isOfCapability(command, 'delivery')
    ? decideDelivery(command, context)
    : decideShipment(command, context)
