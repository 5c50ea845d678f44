/** What the definitions of faults say about them, by the names that schedules hold. */
import { faultByName } from '../../core/faults/catalogue.ts'
import type { FaultDefinition } from '../../core/faults/fault.ts'
import type { ScheduledFault } from './schedule.ts'

export const definitionOf = ({ name }: Pick<ScheduledFault, 'name'>): FaultDefinition | undefined =>
  faultByName(name)

/** Whether its message names a date, which a service reads by a clock that runs at speed 1. */
export const namesDate = (fault: Pick<ScheduledFault, 'name' | 'options'>): boolean =>
  definitionOf(fault)?.namesDate?.(fault.options) ?? false

/** Whether it ends the process of the service: only where that is started by us. */
export const endsService = (fault: Pick<ScheduledFault, 'name'>): boolean =>
  definitionOf(fault)?.needsStart === true

/** Whether it is another app of the store, which acts on orders itself. */
export const changesOrders = (fault: Pick<ScheduledFault, 'name'>): boolean =>
  definitionOf(fault)?.changesOrders === true
