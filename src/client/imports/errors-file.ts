/** The failed rows of an import with their reasons, to be mended and imported again. */
export function errorsFile(id: number) {
  return { path: `/imports/${id}/errors.csv`, failed: 'Failed to download errors' }
}
