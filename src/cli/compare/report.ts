/** Tells of a comparison in every way that was asked for, and answers the number to end with. */
import { version } from '../../edge/version.ts'
import type { ReplayReport } from '../../traffic/replay/standing.ts'
import type { ExitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { openOutlets, type Outlets } from '../run/outlets.ts'
import { type Compared, type ComparedExchange, ofReplay } from './compared.ts'
import { json } from './reporters/json.ts'
import { junit } from './reporters/junit.ts'
import { prettyFor } from './reporters/pretty.ts'
import { sarif } from './reporters/sarif.ts'

/** As the flags of `diff` and `replay` have them. */
export interface ReportOptions {
  readonly reporter?: readonly string[]
  readonly json?: boolean
  /** What is the same and what is noise, too. */
  readonly all?: boolean
  /** Nothing but what differs. */
  readonly quiet?: boolean
}

/** Wider than this, two columns stand too far apart to be read together; a file has no width. */
const widest = 160

/** Opens everything that is written to: a file that cannot be written is told before the work. */
export function openReport(
  { reporter, json: asJson = false, all = false, quiet = false }: ReportOptions,
  io: Io,
): Promise<Outlets<ComparedExchange, Compared>> {
  const pretty = prettyFor({ columns: Math.min(io.columns, widest), all })
  const wanted = reporter ?? (asJson ? ['json'] : ['pretty'])
  return openOutlets(wanted, io, { color: io.color, quiet }, [pretty, json, junit, sarif])
}

export async function tellReport(
  compared: Compared,
  outlets: Outlets<ComparedExchange, Compared>,
): Promise<ExitCode> {
  for (const [index, replayed] of compared.exchanges.entries())
    await outlets.ended({ index, replayed, isFirst: index === compared.first, compared })
  await outlets.finish(compared)
  return compared.exit
}

/**
 * Reports a replay; answers the exit code that INTERFACE promises: 0 same, 1 differs or broken, 3 unreachable or turned
 * away, 4 not carried through, 5 when `unstable` is set by whoever replayed it twice, 130 interrupted.
 */
export async function reportReplay(
  report: ReplayReport,
  options: ReportOptions & { readonly unstable?: boolean },
  io: Io,
): Promise<ExitCode> {
  const outlets = await openReport(options, io)
  const { unstable = false } = options
  return tellReport(ofReplay(report, { version: version(), unstable }), outlets)
}
