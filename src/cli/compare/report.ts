/** Tells of a comparison in every way that was asked for, and answers the number to end with. */
import type { ExitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { openOutlets, type Outlets } from '../run/report-writers.ts'
import type { Compared, ComparedExchange } from './compared.ts'
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
