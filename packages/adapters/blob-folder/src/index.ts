export { createFolderBlobStore } from './create-folder-blob-store';
