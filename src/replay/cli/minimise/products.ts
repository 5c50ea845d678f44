/**
 * What `sparring minimise` writes: the small recording, a scenario, a Vitest test and a curl script. Each is proven first:
 * run in a folder of its own it must fail three times against the service as it is, and pass against a fixed one.
 */
import { readFileSync, rmSync } from 'node:fs'
import { makeTemporaryFolder } from '../../../core/runtime/files/file-access.ts'
import { basename, join, resolve } from 'node:path'
import { compact } from '../../../core/base/compact.ts'
import { errorCode, fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { saveOutput } from '../../../core/runtime/files/output.ts'
import { Problem } from '../../../core/base/problem.ts'
import { customCrash, historyOf, isCrash, recordedSubjectOf } from '../../from-recording/history.ts'
import { oppositeOfFailure } from '../../from-recording/opposite.ts'
import { outputModeFor } from '../formats/text-output.ts'
import { writeRecordingPart } from '../formats/recording-part.ts'
import { runExport } from '../formats/run-export.ts'
import { type Io, withoutStderr } from '../../../terminal/cli/io.ts'
import type { MinimiseFlags } from './flags.ts'
import { openFixedService, openTriedService } from './started-services.ts'
import { type ProductKind, productKinds, type Proof, prove, prepareTestFolder } from './proof.ts'
import type { FoundFailure } from './search-failure.ts'
import type { FailureCount } from '../../minimise/minimise-options.ts'
import { shorterGapMs } from '../replay/flag-values.ts'
import { bringsEvents } from '../../../core/traffic/polling.ts'

export const productEndings: Readonly<Record<ProductKind, string>> = {
  recording: '.rec.ndjson',
  scenario: '.yaml',
  test: '.test.ts',
  script: '.sh',
}

const formats = { scenario: 'scenario', test: 'vitest', script: 'curl' } as const

/** What became of a product. */
export interface Product {
  readonly kind: ProductKind
  readonly file?: string
  readonly written: boolean
  /** In how many of its runs it failed against the service as it is. */
  readonly proof?: FailureCount
  /** Why it was not written. */
  readonly reason?: string
}

/** Runs of a product against the service as it is; one that fails in all but one of them is written, and named flaky. */
const runNumbers = [1, 2, 3] as const
const runs = runNumbers.length

export const isFlaky = ({ proof }: Product): boolean =>
  proof !== undefined && proof.fails < proof.of

type Proven = FailureCount | { readonly flaw: string }

export interface ProductOptions {
  readonly base: string
  readonly flags: MinimiseFlags
  readonly io: Io
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

type Timing = 'original' | 'asap'

async function writeSmallRecording(
  { content, failure, driver, part, settleMs }: FoundFailure,
  { flags, io }: ProductOptions,
  file: string,
): Promise<void> {
  const kept = new Map(content.exchanges.map((each) => [each.recordId, each]))
  const cutDownTo = {
    failure: failure.signature,
    driver,
    settle: Math.ceil(settleMs),
    ...compact({ crash: customCrash(content) }),
    ...(part.asap ? { pace: 'asap' as const } : compact({ gap: part.maxGapMs })),
  }
  await writeRecordingPart(
    {
      path: resolve(io.cwd, flags.recording),
      header: ({ _rec, ...header }) => ({ ...header, _rec: { ..._rec, ...cutDownTo } }),
      pick: (line) => kept.get(line._rec.id),
      file,
      force: true,
    },
    io,
  )
}

const shows = (proof: Proof, wanted: Proof, service: string): string | undefined => {
  if (proof === wanted) return undefined
  return typeof proof === 'object'
    ? `against ${service} it does not come to a result: ${proof.unclear}`
    : `against ${service} it ${proof}`
}

const failing = (proofs: readonly Proof[]): number =>
  proofs.filter((proof) => proof === 'fails').length

/** Whether it fails in all runs but one at most, and always comes to a result. */
const canStillProve = (proofs: readonly Proof[]): boolean =>
  proofs.length - failing(proofs) <= 1 && proofs.every((proof) => typeof proof === 'string')

function flawOf(proofs: readonly Proof[]): string | undefined {
  const flaw = proofs.flatMap((proof) => shows(proof, 'fails', 'your service') ?? [])[0]
  const fails = failing(proofs)
  return fails === 0 ? flaw : `it fails ${fails} of ${proofs.length} times: ${flaw}`
}

/** Writes what can be proven; a product of `written: false` says why not. */
export async function writeProducts(
  found: FoundFailure,
  options: ProductOptions,
): Promise<readonly Product[]> {
  const { base, flags, io, signal } = options
  const { content } = found
  const folder = makeTemporaryFolder('sparring-proof-')
  try {
    await using fixed = await openFixedService({ flags, content, io, signal })
    const testCommand = prepareTestFolder(folder, io.cwd)
    const trials = new ProductTrials(found, { ...options, folder, fixed, testCommand })
    const products: Product[] = []
    for (const kind of productKinds) {
      const proven = await trials.prove(kind).catch((error: unknown) => {
        if (error instanceof Problem) return { flaw: error.message }
        throw error
      })
      if ('flaw' in proven) products.push({ kind, written: false, reason: proven.flaw })
      else
        products.push({
          kind,
          file: `${base}${productEndings[kind]}`,
          written: true,
          proof: proven,
        })
    }
    for (const { kind, file } of products) {
      if (file === undefined) continue
      const mode = outputModeFor(content.header, file, io.cwd)
      const replace = flags.force === true
      await saveOutput(file, readFileSync(trials.fileOf(kind)), { replace, mode, cwd: io.cwd })
    }
    return products
  } catch (error) {
    if (errorCode(error) !== '') throw new Problem(fileProblem(`writing ${base}`, error), 2)
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ProductTrialOptions extends ProductOptions {
  /** Where the products are made and run. */
  readonly folder: string
  /** The mended service, if there is one. */
  readonly fixed: Awaited<ReturnType<typeof openFixedService>>
  readonly testCommand: ReturnType<typeof prepareTestFolder>
}

/** Makes the products in a folder of their own and runs each against the services. */
class ProductTrials {
  readonly #found: FoundFailure
  readonly #options: ProductTrialOptions
  /** The pace at which the scenario proves the failure. */
  #timing: Timing | undefined

  constructor(found: FoundFailure, options: ProductTrialOptions) {
    this.#found = found
    this.#options = options
  }

  fileOf(kind: ProductKind): string {
    const { folder, base } = this.#options
    return join(folder, `${basename(base)}${productEndings[kind]}`)
  }

  /** Makes a product, and says how often it failed, or why it proves nothing. */
  async prove(kind: ProductKind): Promise<Proven> {
    return this.#proofs[kind]()
  }

  readonly #proofs: Readonly<Record<ProductKind, () => Promise<Proven>>> = {
    recording: async () => {
      await writeSmallRecording(this.#found, this.#options, this.fileOf('recording'))
      return this.#run('recording')
    },
    scenario: () => this.#proveScenario(),
    test: async () => {
      if (this.#timing === undefined) return { flaw: 'the scenario that it plays proves nothing' }
      await this.#exportAs('test', this.#timing)
      return this.#run('test')
    },
    script: async () => {
      const { driver, content } = this.#found
      if (driver === 'partner' && content.exchanges.some(bringsEvents))
        return {
          flaw: 'your service polls for the events of this failure, and a script only sends',
        }
      await this.#exportAs('script', this.#timing ?? 'original')
      return this.#run('script')
    },
  }

  async #proveScenario(): Promise<Proven> {
    const { failure, content, part } = this.#found
    if (!oppositeOfFailure(failure.signature, historyOf(content)))
      return { flaw: 'expectations of a scenario cannot express this failure' }
    // As the failure was found, else at the other pace.
    const timings: readonly Timing[] = part.asap ? ['asap', 'original'] : ['original', 'asap']
    let first: Proven | undefined
    for (const timing of timings) {
      await this.#exportAs('scenario', timing)
      const proven = await this.#run('scenario')
      first ??= proven
      if ('flaw' in proven) continue
      this.#timing = timing
      return proven
    }
    return first ?? { flaw: 'no pace shows it' }
  }

  async #exportAs(kind: Exclude<ProductKind, 'recording'>, timing: Timing): Promise<void> {
    const { flags, io } = this.#options
    const maxGapMs = shorterGapMs(flags, this.#found.part)
    const to = { ...compact({ base: flags.to }), pace: { timing, maxGapMs } }
    const files = { recording: this.fileOf('recording'), output: this.fileOf(kind) }
    await runExport({ ...files, ...to, format: formats[kind], force: true }, withoutStderr(io))
  }

  /** Runs a product against both services. */
  async #run(kind: ProductKind): Promise<Proven> {
    const { folder, flags, io, signal, testCommand, fixed, onProgress } = this.#options
    const { content } = this.#found
    const role = recordedSubjectOf(content)
    if (role === 'none') return { flaw: 'the recording does not say which service is tested' }
    const isEnded = content.exchanges.some(isCrash)
    const common = { folder, flags, isEnded, role, io, signal, testCommand }
    const input = { ...common, file: this.fileOf(kind) }
    const proveOwn = async (nth: number): Promise<Proof> => {
      onProgress(`minimising: proving the ${kind}, run ${nth} of ${runs}`)
      await using tried = await openTriedService({ flags, content, io, signal })
      return await prove(kind, { ...input, target: tried.target })
    }
    const proveFixed = async (): Promise<string | undefined> =>
      fixed &&
      shows(await prove(kind, { ...input, target: fixed.target }), 'passes', 'the fixed one')
    const proveRuns = async (): Promise<readonly Proof[]> => {
      const proofs: Proof[] = []
      // A service that we start has ports of its own, and most of a run is waiting.
      if (flags.start !== undefined) return await Promise.all(runNumbers.map(proveOwn))
      for (const nth of runNumbers) if (canStillProve(proofs)) proofs.push(await proveOwn(nth))
      return proofs
    }
    // With ports of its own the mended one need not wait.
    const isShared = fixed !== undefined && fixed.target.port === flags.port
    const [proofs, mended] = await Promise.all([proveRuns(), isShared ? undefined : proveFixed()])
    const flaw = canStillProve(proofs) ? (isShared ? await proveFixed() : mended) : flawOf(proofs)
    return flaw === undefined ? { fails: failing(proofs), of: runs } : { flaw }
  }
}
