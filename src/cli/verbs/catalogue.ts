/** Every verb, in the order of the help text. */
import type { Verb } from '../verb.ts'
import { agenda } from './agenda.ts'
import { completionOf } from './completion.ts'
import { diff } from './diff.ts'
import { doctor } from './doctor.ts'
import { entityFamilies } from './entities.ts'
import { events } from './events.ts'
import { explain } from './explain.ts'
import { faults } from './faults.ts'
import { exportVerb } from './export.ts'
import { importVerb } from './import.ts'
import { init } from './init.ts'
import { list } from './list.ts'
import { minimise } from './minimise.ts'
import { orders } from './orders.ts'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { run } from './run.ts'
import { schema } from './schema.ts'
import { up } from './up.ts'
import { verdicts } from './verdicts.ts'

export const verbs: readonly Verb[] = [
  up,
  run,
  replay,
  minimise,
  record,
  diff,
  importVerb,
  exportVerb,
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
