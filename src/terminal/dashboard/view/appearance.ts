/**
 * Appearance of the dashboard: theme, colour depth, glyphs. Decided once, from the environment read by the caller and
 * the options; nothing else here reads an environment.
 */
import { type ColourDepth, type Palette, paletteOf, type ThemeName } from './text/palette.ts'
import { type Glyphs, glyphSets } from './text/glyphs.ts'

export interface Appearance {
  readonly palette: Palette
  readonly glyphs: Glyphs
}

/** Options of the operator; defaults follow from the environment. */
export interface AppearanceOptions {
  readonly theme?: ThemeName
  /** `false` for `--no-color`. */
  readonly colour?: boolean
  readonly glyphs?: 'unicode' | 'ascii'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** FORCE_COLOR takes precedence over NO_COLOR, as in Node. */
function colourDepthOf(environment: Environment, options: AppearanceOptions): ColourDepth {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term = '', COLORTERM: kind = '' } = environment
  const isDumb = term === 'dumb'
  if (options.colour === false) return isDumb ? 'plain' : 'none'
  if (force !== undefined && options.colour !== true) {
    if (force === '0' || force === 'false') return isDumb ? 'plain' : 'none'
    if (force === '2') return '256'
    return force === '3' ? '24bit' : '16'
  }
  if (isDumb && options.colour !== true) return 'plain'
  if (no !== undefined && no !== '' && options.colour !== true) return 'none'
  if (/truecolor|24bit/i.test(kind)) return '24bit'
  return /256/.test(term) ? '256' : '16'
}

/** Whether the locale allows characters outside ASCII; the Linux console draws few of them. */
function supportsUnicode(environment: Environment): boolean {
  const { TERM: term = '', LC_ALL, LC_CTYPE, LANG } = environment
  if (term === 'dumb' || term === 'linux') return false
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  // Containers usually have no locale, while the terminal outside is a modern one.
  return locale === undefined || /utf-?8/i.test(locale)
}

export function appearanceOf(
  environment: Environment,
  options: AppearanceOptions = {},
): Appearance {
  const unicode =
    options.glyphs === undefined ? supportsUnicode(environment) : options.glyphs === 'unicode'
  return {
    palette: paletteOf(options.theme ?? 'auto', colourDepthOf(environment, options)),
    glyphs: glyphSets[unicode ? 'unicode' : 'ascii'],
  }
}
