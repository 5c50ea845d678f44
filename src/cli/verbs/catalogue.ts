/** Every verb, in the order of the help text. */
import type { Verb } from '../verb.ts'
import { agenda } from './agenda.ts'
import { completionOf } from './completion.ts'
import { doctor } from './doctor.ts'
import { entityFamilies } from './entities.ts'
import { events } from './events.ts'
import { explain } from './explain.ts'
import { faults } from './faults.ts'
import { init } from './init.ts'
import { list } from './list.ts'
import { orders } from './orders.ts'
import { run } from './run.ts'
import { schema } from './schema.ts'
import { up } from './up.ts'
import { verdicts } from './verdicts.ts'

export const verbs: readonly Verb[] = [
  up,
  run,
  orders,
  ...entityFamilies,
  agenda,
  events,
  faults,
  verdicts,
  explain,
  list,
  init,
  doctor,
  schema,
  completionOf(() => verbs),
]
