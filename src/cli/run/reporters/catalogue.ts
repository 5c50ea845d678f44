/** Every reporter of `sparring run`. */
import { github } from './github.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { pretty } from './pretty.ts'
import type { Reporter } from './reporter.ts'
import { sarif } from './sarif.ts'
import { tap } from './tap.ts'

export const reporters: readonly Reporter[] = [pretty, json, junit, tap, sarif, github]
