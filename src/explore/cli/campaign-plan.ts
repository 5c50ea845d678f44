/** Everything about a campaign that is known before it begins; what cannot be meant is rejected here. */
import { compact } from '../../core/base/compact.ts'
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import type { CampaignBudget } from '../campaign/campaign.ts'
import { createWorkload, type Workload } from '../workloads/workload.ts'
import { problem } from '../../core/base/problem.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { ScenarioRun } from '../../core/scenario/runs.ts'
import { checkAllowedTarget } from '../../terminal/cli/allowed-target.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { parseDurationArgument } from '../../terminal/cli/parse-duration-argument.ts'
import { copiedFlagWords } from '../../terminal/cli/run/rerun-command.ts'
import { newSeed, readConfigurationAndFlags } from '../../terminal/cli/session-options.ts'
import { groupSizesOf } from './concurrency-control.ts'
import { type KnownScenario, readCorpus } from './corpus.ts'
import { defaultCorpus, defaultMaxTime, type ExploreFlags } from './explore-flags.ts'
import { type CampaignHeader, recordFormat } from './record-schema.ts'
import { checkResetTarget } from './reset-subject.ts'
import { hasRecords } from '../../terminal/cli/shards/record-lines.ts'
import { type ChosenShard, chosenShard } from '../../terminal/cli/shards/shard-variables.ts'
import {
  headerDifference,
  readStoredCampaign,
  type StoredCampaign,
  workloadsOfHeader,
  writtenWorkload,
} from './stored-campaign.ts'
import { isDataFile, readDataFile } from '../../core/runtime/files/data-file.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { examplesOf } from '../../core/scenario/examples.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { resolve } from 'node:path'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'

/**
 * The workloads of `--workload`: built-in ones by name, and scenario files, whose faults and expectations are not used.
 */
const isFile = (text: string): boolean => isDataFile(text) || text.includes('/')

/** A workload for each row of each file; the files were checked before. */
async function workloadsIn(file: string, cwd: string, subject: Role): Promise<readonly Workload[]> {
  const { value } = await readDataFile(file, resolve(cwd, file), 'a scenario')
  const rows = examplesOf(value)
  return rows.map(({ name: row, value: written }) => {
    const { name, about, orders, steps, session } = written as ScenarioInput
    return createWorkload({
      name: rows.length > 1 ? `${name} [${row ?? ''}]` : name,
      about,
      subjects: [subject],
      ...compact({ orders, steps, session }),
    })
  })
}

async function workloadsOfFile(
  text: string,
  subject: Role,
  cwd: string,
): Promise<readonly Workload[]> {
  const loaded = await loadScenarios([text], cwd)
  const other = loaded.find(({ run }) => run.scenario.subject !== subject)
  if (other)
    throw problem(
      `reading the workload ${other.file}`,
      `it is about your service as ${other.run.scenario.subject}, and yours is ${subject}`,
      'Say subject: in the scenario, or another --as.',
    )
  const files = [...new Set(loaded.map(({ file }) => file))]
  return (await Promise.all(files.map((file) => workloadsIn(file, cwd, subject)))).flat()
}

function builtIn(name: string, subject: Role): Workload {
  const all = workloadsOf(subject)
  const found = all.find((each) => each.name === name)
  if (found) return found
  const names = all.map((each) => each.name)
  const near = findClosestName(name, names)
  throw problem(
    'reading --workload',
    `there is no workload "${name}" of ${subject}`,
    near === undefined
      ? `There are ${names.join(', ')}; a scenario file is named by its path.`
      : `Did you mean "${near}"?`,
  )
}

/** All built-in ones of the role, when none is named. Names are unique. */
/** It is about a capability that the configuration switches off: orders for tables would be refused. */
const isWithout = (
  { needs, orders }: Workload,
  capabilities: ConfigurationInput['capabilities'],
): boolean =>
  Object.entries(capabilities ?? {}).some(
    ([name, isOn]) =>
      isOn === false &&
      (name === needs ||
        (name === 'indoor' && Object.values(orders).some(({ type }) => type === 'INDOOR'))),
  )

async function chosenWorkloads(
  named: readonly string[] | undefined,
  subject: Role,
  { cwd, capabilities }: Pick<Io, 'cwd'> & Pick<ConfigurationInput, 'capabilities'>,
): Promise<readonly Workload[]> {
  if (!named) return workloadsOf(subject).filter((each) => !isWithout(each, capabilities))
  const chosen: Workload[] = []
  for (const text of named)
    chosen.push(
      ...(isFile(text) ? await workloadsOfFile(text, subject, cwd) : [builtIn(text, subject)]),
    )
  const names = chosen.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return chosen
  throw problem(
    'reading --workload',
    `two workloads are called "${twice}"`,
    'Name each once, and give scenarios names of their own.',
  )
}

export interface CampaignPlan {
  /** From flags and configuration file, without faults. */
  readonly base: ConfigurationInput
  readonly configuration: Configuration
  readonly subject: Role
  readonly channel: ScenarioRun['channel']
  /** Whether sessions can be open at the same time: each has a service and ports of its own. */
  readonly isSideBySide: boolean
  readonly workloads: readonly Workload[]
  readonly budget: CampaignBudget
  readonly shard?: ChosenShard
  readonly header: CampaignHeader
  /** The campaign that is continued. */
  readonly stored?: StoredCampaign
  readonly corpus: string
  readonly known: readonly KnownScenario[]
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[]
}

function budgetOf(flags: ExploreFlags): CampaignBudget {
  const { 'max-runs': maxRuns, 'max-time': maxTime, until } = flags
  const isUnlimited = maxRuns === undefined && maxTime === undefined && until === undefined
  const time = maxTime ?? (isUnlimited ? defaultMaxTime : undefined)
  return compact({
    maxRuns,
    maxMs: time === undefined ? undefined : parseDurationArgument(time, 'reading --max-time'),
    untilCovered: until === undefined ? undefined : (true as const),
  })
}

async function storedCampaign(
  { resume, out }: ExploreFlags,
  cwd: string,
): Promise<StoredCampaign | undefined> {
  if (!resume) return undefined
  if (out === undefined)
    throw problem(
      'reading --resume',
      'nothing says which campaign is continued',
      'Name its file with --out.',
    )
  return (await hasRecords(out, cwd)) ? readStoredCampaign(out, cwd) : undefined
}

/** The role of the service; it must be there to be tested. */
function subjectOf(
  { start, reset, 'allow-target': allowed }: ExploreFlags,
  { configuration, input }: { configuration: Configuration; input: ConfigurationInput },
  stored: StoredCampaign | undefined,
): Role {
  const attempted = 'exploring your service'
  const role = configuration.subject.role ?? stored?.header.subject
  if (role === undefined)
    throw problem(
      attempted,
      'nothing says which role it plays',
      'Say it with --as software-service, and with --start or --subject where it is; without, it polls us.',
    )
  const { url } = configuration.subject
  if (url !== undefined)
    checkAllowedTarget(new URL(url), allowed, {
      attempted: `exploring ${url}`,
      does: 'its orders are confirmed, cancelled and fail as never before',
    })
  if (reset !== undefined) checkResetTarget(reset, allowed)
  const isPushed = configuration.counterparts['ordering-application'].channel !== 'polling'
  const needsUrl = role !== 'software-service' || (isPushed && input.counterparts !== undefined)
  if (url === undefined && start === undefined && needsUrl)
    throw problem(
      attempted,
      'only a Software Service that polls is found without an address',
      'Say it with --start <command> or --subject <url>.',
    )
  if (configuration.clock === 'stepped')
    throw problem('reading --clock', 'a stepped clock waits for you', 'Leave out --clock.')
  return role
}

const areSideBySide = (
  { start, reset }: ExploreFlags,
  { subject, counterparts }: Configuration,
): boolean =>
  start !== undefined &&
  reset === undefined &&
  subject.url === undefined &&
  Object.values(counterparts).every(({ port }) => port === undefined)

function checkSeed(flags: ExploreFlags, shard: ChosenShard | undefined, seed: number | undefined) {
  if (seed !== undefined || !shard) return seed ?? newSeed()
  throw problem(
    `running part ${shard.part} of ${shard.of} (${shard.from})`,
    'all parts need the same seed',
    flags.resume ? 'Name the file of this part.' : 'Say it with --seed.',
  )
}

export async function planCampaign(flags: ExploreFlags, io: Io): Promise<CampaignPlan> {
  const { cwd } = io
  const shard = chosenShard(flags, io.env)
  const budget = budgetOf(flags)
  const { seed: ownSeed, ...sessionFlags } = flags
  const resolved = await readConfigurationAndFlags(sessionFlags, cwd)
  // Contracts are no rules of the protocol, which a search looks for.
  const { faults, recording: _recording, contract: _contract, ...base } = resolved.input
  const { configuration } = resolved
  const stored = await storedCampaign(flags, cwd)
  const subject = subjectOf(flags, resolved, stored)
  const channel =
    base.counterparts?.['ordering-application']?.channel ?? stored?.header.channel ?? 'polling'
  const workloads =
    stored && !flags.workload
      ? workloadsOfHeader(stored)
      : await chosenWorkloads(flags.workload, subject, { cwd, ...base })
  const seed = checkSeed(flags, shard, ownSeed ?? stored?.header.seed ?? base.seed)
  const isSideBySide = areSideBySide(flags, configuration)
  const header: CampaignHeader = {
    type: 'campaign',
    format: recordFormat,
    version: packageVersion(),
    seed,
    subject,
    channel,
    workloads: workloads.map(writtenWorkload),
    budget: { ...budget },
    groupSizes: stored?.header.groupSizes ?? { ...groupSizesOf(isSideBySide) },
    ...(shard ? { shard: { part: shard.part, of: shard.of } } : {}),
    ...compact({
      crashes: flags.crashes ?? stored?.header.crashes,
      ghosts: flags.ghosts ?? stored?.header.ghosts,
      evolution: flags.evolution ?? stored?.header.evolution,
    }),
    flags: copiedFlagWords(flags),
  }
  if (stored) checkResumed(stored, header)
  const corpus = flags.corpus ?? defaultCorpus
  const { known, others } = await readCorpus(corpus, cwd, workloads, channel)
  const notes = [
    ...(faults && faults.length > 0
      ? ['the faults of the configuration are not used: a campaign draws its own']
      : []),
    ...(others.length > 0
      ? [
          `${others.length === 1 ? `${others[0]} is no schedule` : `${others.length} scenarios in ${corpus} are no schedules`} of this campaign: play ${others.length === 1 ? 'it' : 'them'} with sparring run`,
        ]
      : []),
    ...(flags.resume && !stored ? [`${flags.out} holds no campaign yet: it begins`] : []),
    ...(stored?.isTorn ? [`the last line of ${stored.file} was torn, and is left out`] : []),
  ]
  return {
    base,
    configuration,
    subject,
    channel,
    isSideBySide,
    workloads,
    budget,
    header,
    corpus,
    known,
    notes,
    ...compact({ shard, stored }),
  }
}

function checkResumed(stored: StoredCampaign, header: CampaignHeader): void {
  const attempted = `continuing ${stored.file}`
  const wrong = headerDifference(stored, { file: 'this command', header })
  const remedy = 'Say what it was begun with, or begin another with --out.'
  if (wrong !== undefined) throw problem(attempted, wrong, remedy)
  const [before, now] = [stored.header.shard, header.shard]
  if (before?.part === now?.part && before?.of === now?.of) return
  const textOf = (shard: typeof now): string =>
    shard ? `part ${shard.part} of ${shard.of}` : 'the whole'
  throw problem(attempted, `it is ${textOf(before)}, and this command ${textOf(now)}`, remedy)
}
