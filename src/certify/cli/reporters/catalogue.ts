/** Every reporter of `sparring certify`. */
import { certifyGithub } from './github.ts'
import { certifyHtml } from './html.ts'
import { certifyJson } from './json.ts'
import { certifyJunit } from './junit.ts'
import { certifyMarkdown } from './markdown.ts'
import { certifyPretty } from './pretty.ts'
import { certifyMigration } from './migration.ts'
import type { CertifyReporter } from './reporter.ts'
import { certifySarif } from './sarif.ts'

export const certifyReporters: readonly CertifyReporter[] = [
  certifyPretty,
  certifyJson,
  certifyHtml,
  certifyMarkdown,
  certifyMigration,
  certifyJunit,
  certifySarif,
  certifyGithub,
]
