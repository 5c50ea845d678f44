/** Every verb, in the order of the help text. */
import type { Verb } from '../../terminal/cli/verb.ts'
import { agendaVerb } from './agenda.ts'
import { attachVerb } from './attach.ts'
import { certifyVerb } from '../../certify/cli/certify.ts'
import { createCompletionVerb } from './completion.ts'
import { demoVerb } from './demo.ts'
import { diffVerb } from '../../replay/cli/diff.ts'
import { doctorVerb } from './doctor.ts'
import { entityVerbs } from './entities.ts'
import { eventsVerb } from './events.ts'
import { explainVerb } from './explain.ts'
import { exploreVerb } from '../../explore/cli/explore.ts'
import { faultsVerb } from './faults.ts'
import { exportVerb } from '../../replay/cli/export.ts'
import { importVerb } from '../../replay/cli/import.ts'
import { initVerb } from './init.ts'
import { listVerb } from './list.ts'
import { createMcpVerb } from './mcp.ts'
import { minimiseVerb } from '../../replay/cli/minimise.ts'
import { ordersVerb } from './orders.ts'
import { recordVerb } from '../../replay/cli/record.ts'
import { replayVerb } from '../../replay/cli/replay.ts'
import { reportVerb } from './report.ts'
import { resetVerb } from './reset.ts'
import { runVerb } from './run.ts'
import { schemaVerb } from './schema.ts'
import { statusVerb } from './status.ts'
import { stopVerb } from './stop.ts'
import { trafficVerb } from './traffic.ts'
import { upVerb } from './up.ts'
import { verdictsVerb } from './verdicts.ts'

export const verbs: readonly Verb[] = [
  upVerb,
  demoVerb,
  attachVerb,
  statusVerb,
  stopVerb,
  resetVerb,
  runVerb,
  exploreVerb,
  certifyVerb,
  replayVerb,
  minimiseVerb,
  recordVerb,
  diffVerb,
  importVerb,
  exportVerb,
  reportVerb,
  ordersVerb,
  ...entityVerbs,
  agendaVerb,
  eventsVerb,
  trafficVerb,
  faultsVerb,
  verdictsVerb,
  explainVerb,
  listVerb,
  initVerb,
  doctorVerb,
  createMcpVerb(() => verbs),
  schemaVerb,
  createCompletionVerb(() => verbs),
]
