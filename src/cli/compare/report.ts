/** Writes a comparison through the requested reporters and returns the exit code. */
import type { ExitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { openOutlets, type Outlets } from '../run/report-writers.ts'
import type { Compared, ComparedExchange } from './compared.ts'
import { json } from './reporters/json.ts'
import { junit } from './reporters/junit.ts'
import { prettyFor } from './reporters/pretty.ts'
import { sarif } from './reporters/sarif.ts'

/** Report flags of `diff` and `replay`. */
export interface ReportOptions {
  readonly reporter?: readonly string[]
  readonly json?: boolean
  /** Include exchanges that are the same or noise. */
  readonly all?: boolean
  /** Only differences. */
  readonly quiet?: boolean
}

/** Maximum width in columns: wider side-by-side output is hard to read. */
const maxColumns = 160

/** Opens all report files before the work, so that one that cannot be written fails early. */
export function openReport(
  { reporter, json: asJson = false, all = false, quiet = false }: ReportOptions,
  io: Io,
): Promise<Outlets<ComparedExchange, Compared>> {
  const pretty = prettyFor({ columns: Math.min(io.columns, maxColumns), all })
  const reporters = reporter ?? (asJson ? ['json'] : ['pretty'])
  return openOutlets(reporters, io, { color: io.color, quiet }, [pretty, json, junit, sarif])
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
