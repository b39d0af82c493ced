export * from './create-folder-blob-store';
