/**
 * Palettes. A theme maps each tone to an attribute and a colour in every supported depth. The default uses the sixteen
 * colours of the terminal's own theme. `cb-dark` and `cb-light` use the colours of Okabe and Ito, which colour-blind
 * people can distinguish. No meaning is carried by colour alone: a sign or a word always accompanies it.
 */
import type { Tone } from './row.ts'

export const themeNames = ['auto', 'cb-dark', 'cb-light', 'mono', 'high-contrast'] as const
export type ThemeName = (typeof themeNames)[number]

/** Colour depth: `none` keeps bold and inverse, `plain` has no escape sequences at all. */
export type ColourDepth = 'plain' | 'none' | '16' | '256' | '24bit'

interface Style {
  /** An SGR attribute: 1 bold, 2 dim, 4 underlined. */
  readonly attribute?: 1 | 2 | 4
  /** One of the sixteen colours, as an SGR foreground code. */
  readonly basic?: number
  readonly rgb?: string
}

type Theme = Readonly<Record<Exclude<Tone, 'plain'>, Style>>

const sky = { rgb: '#56b4e9', basic: 96 }
const orange = { rgb: '#e69f00', basic: 33 }
const yellow = { rgb: '#f0e442', basic: 93 }
const blue = { rgb: '#0072b2', basic: 34 }
const vermilion = { rgb: '#d55e00', basic: 31 }
const purple = { rgb: '#cc79a7', basic: 95 }

const themes: Readonly<Record<ThemeName, Theme>> = {
  auto: {
    strong: { attribute: 1 },
    muted: { attribute: 2 },
    accent: { attribute: 1, basic: 36 },
    ok: { basic: 36 },
    warn: { basic: 33 },
    err: { attribute: 1, basic: 31 },
    info: { basic: 35 },
  },
  'cb-dark': {
    strong: { attribute: 1 },
    muted: { rgb: '#9a9a9a', basic: 37 },
    accent: { attribute: 1, ...yellow },
    ok: sky,
    warn: orange,
    err: { attribute: 1, ...vermilion },
    info: purple,
  },
  'cb-light': {
    strong: { attribute: 1 },
    muted: { rgb: '#5f5f5f', basic: 90 },
    accent: { attribute: 1, ...blue },
    ok: blue,
    warn: vermilion,
    err: { attribute: 1, ...vermilion },
    info: { attribute: 4 },
  },
  mono: {
    strong: { attribute: 1 },
    muted: { attribute: 2 },
    accent: { attribute: 1 },
    ok: {},
    warn: { attribute: 1 },
    err: { attribute: 1 },
    info: {},
  },
  'high-contrast': {
    strong: { attribute: 1, rgb: '#ffffff', basic: 97 },
    muted: { rgb: '#e4e4e4', basic: 37 },
    accent: { attribute: 1, rgb: '#ffff00', basic: 93 },
    ok: { attribute: 1, rgb: '#00ffff', basic: 96 },
    warn: { attribute: 1, rgb: '#ffff00', basic: 93 },
    err: { attribute: 4, rgb: '#ff8080', basic: 91 },
    info: { attribute: 1, rgb: '#ffffff', basic: 97 },
  },
}

const channels = (rgb: string): readonly [number, number, number] => [
  Number.parseInt(rgb.slice(1, 3), 16),
  Number.parseInt(rgb.slice(3, 5), 16),
  Number.parseInt(rgb.slice(5, 7), 16),
]

/** Nearest colour of the 6 x 6 x 6 cube of 256-colour terminals. */
function cubeIndex(rgb: string): number {
  const steps = [0, 95, 135, 175, 215, 255]
  const nearest = (value: number): number =>
    steps.reduce(
      (best, step, index) =>
        Math.abs(step - value) < Math.abs((steps[best] ?? 0) - value) ? index : best,
      0,
    )
  const [red, green, blue_] = channels(rgb)
  return 16 + 36 * nearest(red) + 6 * nearest(green) + nearest(blue_)
}

function colourCode({ rgb, basic }: Style, depth: ColourDepth): string | undefined {
  if (depth === '24bit' && rgb) return `38;2;${channels(rgb).join(';')}`
  if (depth === '256' && rgb) return `38;5;${cubeIndex(rgb)}`
  return basic === undefined ? undefined : String(basic)
}

/** SGR parameters of each tone; empty for none. */
export type Palette = Readonly<Record<Tone, string>> & { readonly inverse: boolean }

export function paletteOf(theme: ThemeName, depth: ColourDepth): Palette {
  const codes = (style: Style): string => {
    if (depth === 'plain') return ''
    const colour = depth === 'none' ? undefined : colourCode(style, depth)
    return [style.attribute, colour].filter((part) => part !== undefined).join(';')
  }
  const chosen = themes[theme]
  return {
    plain: '',
    strong: codes(chosen.strong),
    muted: codes(chosen.muted),
    accent: codes(chosen.accent),
    ok: codes(chosen.ok),
    warn: codes(chosen.warn),
    err: codes(chosen.err),
    info: codes(chosen.info),
    inverse: depth !== 'plain',
  }
}
