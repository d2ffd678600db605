import type { Plugin } from 'vite'

/** Scales of color that Mantine declares and no screen uses. */
export const UNUSED_COLORS = ['pink', 'grape', 'violet', 'indigo', 'cyan', 'teal', 'lime', 'orange']

const DECLARATION = new RegExp(String.raw`--mantine-color-(${UNUSED_COLORS.join('|')})-[\w-]+:[^;}]+;?`, 'g')

/** Leaves them out of the style sheet that every page brings along. */
export function unusedColors(): Plugin {
  return {
    name: 'unused-colors',
    apply: 'build',
    enforce: 'pre',
    transform: (css, id) =>
      id.includes('default-css-variables') ? { code: css.replaceAll(DECLARATION, ''), map: null } : undefined,
  }
}
