/**
 * Sessions for reproducers, with the reference service of this process in them, and the scenarios that are kept of
 * buckets.
 */
import { configurationParts } from '../../src/core/session-api/configuration/schema.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import type { Bucket, BucketDetails } from '../../src/explore/investigation/bucket.ts'
import {
  bucketParagraph,
  scenarioOfBucket,
} from '../../src/explore/investigation/scenario-of-bucket.ts'
import type { OpenedSession, SessionRequest } from '../../src/explore/batch/session-runner.ts'
import { trimWorkload } from '../../src/explore/workloads/workload.ts'
import { workloadsOf } from '../../src/explore/workloads/workloads.ts'
import { invariants } from '../../src/core/rules/invariants/catalogue.ts'
import { clausesOf, type Clauses } from '../../src/core/protocol/clause.ts'
import { configurationOf } from '../../src/core/scenario/options.ts'
import { Scenario, type ScenarioInput } from '../../src/core/scenario/schema.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import { createInProcessService, serviceCapabilities, servicePaths } from './in-process-service.ts'

const subject = 'software-service'

export const exploredAsks = configurationParts.subject().parse({}).asks

/** The scenario of a session that plays what is submitted later. */
const emptyScenario = Scenario.parse({ name: 'reproducer', about: 'A reproducer.', subject })

/** A begun session as `exploreInProcess` opens it, with the service in it, over no socket. */
export async function openWithService(
  { seed, settings, faults }: SessionRequest,
  defects: readonly DefectName[],
): Promise<OpenedSession> {
  const service = createInProcessService({ channel: 'both', defects, delivers: true })
  const scenario = { ...emptyScenario, session: settings }
  const run = { scenario, title: '', channel: 'both', faults, seed, group: undefined } as const
  const configuration = configurationOf(run, { capabilities: serviceCapabilities(true) })
  const session = await prepareSession({
    ...configuration,
    clock: 'virtual',
    as: subject,
    subject: { ...configuration.subject, ...servicePaths },
    listen: false,
    automatic: false,
    handler: service.fetch,
  })
  await Promise.all([session.begin(), session.loadFaults()])
  const started = service.start(session)
  return {
    session,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]()
      await session.close()
    },
  }
}

function partsOf({ rule, schedule }: Bucket) {
  const workload = workloadsOf(subject).find(({ name }) => name === schedule.workload)
  const invariant = invariants.find(({ id }) => id === rule)
  if (!workload || !invariant) throw new Error(`there is no ${schedule.workload} or no ${rule}`)
  return { workload: trimWorkload(workload, schedule.trim), invariant }
}

/** The scenario that is kept of a bucket. */
export function keptScenarioOf(bucket: Bucket): ScenarioInput {
  const { workload, invariant } = partsOf(bucket)
  const faultPhaseMs = bucket.schedule.trim?.faultPhaseMs ?? 60_000
  return scenarioOfBucket(bucket, { workload, channel: 'both', faultPhaseMs }, invariant)
}

/** The details of a bucket whose scenario was kept. */
export function keptDetailsOf(bucket: Bucket, clauses: Clauses): BucketDetails {
  const { workload, invariant } = partsOf(bucket)
  const file = `explored/a b ${bucket.id}.yaml`
  return {
    sentence: invariant.sentence,
    remedy: invariant.remedy,
    clauses: clausesOf(invariant.clauses, clauses),
    paragraph: bucketParagraph(bucket, workload, invariant),
    file,
    again: `sparring run '${file}'`,
  }
}
