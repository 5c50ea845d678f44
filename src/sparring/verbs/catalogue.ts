/** Every verb, in the order of the help text. */
import type { Verb } from '../../terminal/cli/verb.ts'
import { agendaVerb } from './agenda.ts'
import { agentVerb } from './agent.ts'
import { attachVerb, resetVerb, statusVerb, stopVerb, upVerb } from './sessions.ts'
import { certifyVerb } from '../../certify/cli/certify.ts'
import { createCompletionVerb, createMcpVerb, doctorVerb } from './environment.ts'
import { demoVerb } from './demo.ts'
import { createDocsVerb } from './docs.ts'
import {
  diffVerb,
  driftVerb,
  exportVerb,
  importVerb,
  minimiseVerb,
  recordVerb,
  replayVerb,
} from '../../replay/cli/verbs.ts'
import { entityVerbs } from './entities.ts'
import { eventsVerb } from './events.ts'
import { explainVerb } from './explain.ts'
import { exploreVerb } from '../../explore/cli/explore.ts'
import { faultsVerb } from './faults.ts'
import { initVerb } from './init.ts'
import { listVerb } from './list.ts'
import { ordersVerb } from './orders.ts'
import { reportVerb } from './report.ts'
import { runVerb } from './run.ts'
import { schemaVerb } from './schema.ts'
import { trafficVerb } from './traffic.ts'
import { suggestVerb } from './suggest.ts'
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
  driftVerb,
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
  suggestVerb,
  explainVerb,
  listVerb,
  createDocsVerb(() => verbs),
  initVerb,
  doctorVerb,
  createMcpVerb(() => verbs),
  agentVerb,
  schemaVerb,
  createCompletionVerb(() => verbs),
]
