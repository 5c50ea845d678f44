/**
 * How our counterparts behave while a service is certified: what a procedure does itself they must not do of their own
 * accord.
 */
import type { Role } from '../../core/protocol/role.ts'

/** Settings of our counterparts by the role of the service, in the format of a configuration. */
const settings = {
  'ordering-application': {
    'software-service': { behaviour: 'passive' },
    // What our Software Service declares that it takes.
    'ordering-application': { channel: 'both' },
    crm: { mode: 'hybrid' },
  },
  'software-service': {
    'ordering-application': { channel: 'both', behaviour: 'passive', deliveries: false },
  },
  'delivery-platform': {},
  crm: { crm: { mode: 'hybrid' } },
} as const satisfies Record<Role, Readonly<Record<string, unknown>>>

export const certificationCounterparts = (role: Role): (typeof settings)[Role] => settings[role]

/** Protocol options: couriers of our platform ride fast, since no clause binds their pace. */
export const certificationConduct = { logistics: { pace: 600 } } as const
