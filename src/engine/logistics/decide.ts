/** Decides the commands of Logistics, of the Delivery Platform and of its consumers. */
import type { Context, Decision } from '../decision.ts'
import { isOf } from '../of-kind.ts'
import type { LogisticsCommand } from './command.ts'
import { decideDelivery } from './delivery-commands.ts'
import { decideShipment } from './shipment-commands.ts'

export const decideLogistics = (command: LogisticsCommand, context: Context): Decision =>
  isOf(command, 'delivery') ? decideDelivery(command, context) : decideShipment(command, context)
