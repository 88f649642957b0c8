; What compiled code asks of its surroundings: memory for arrays and lists, another shape for an array, and doubles from
; random words.
;
; A block of memory has 2^k bytes: a header of 64 (numba's MemInfo: count, destructor, its argument, data, size; k stands in
; the destructor's place, the next free block in its argument's) and the data. Freed blocks wait in a list for each k; what
; grows out of its block moves to a larger one. `begin` forgets all blocks: a run starts with an empty heap.

%block = type { i64, ptr, ptr, ptr, i64 }

@heap = global i64 0
@freed = global [48 x ptr] zeroinitializer
@banditlab_stopped = global i64 0

declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @llvm.sqrt.f64(double)
declare i64 @next_uint64(i64)

; Nobody stops a thread of a page: its worker is ended whole.
define i64 @banditlab_this_thread() {
  ret i64 1
}

define void @begin(i32 %base) {
  %wide = zext i32 %base to i64
  store i64 %wide, ptr @heap
  br label %each
each:
  %k = phi i64 [0, %0], [%next, %each]
  %list = getelementptr [48 x ptr], ptr @freed, i64 0, i64 %k
  store ptr null, ptr %list
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 48
  br i1 %more, label %each, label %done
done:
  ret void
}

define internal ptr @fresh(i64 %k) {
  %at = load i64, ptr @heap
  %size = shl i64 1, %k
  %end = add i64 %at, %size
  store i64 %end, ptr @heap
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %wide = zext i32 %pages to i64
  %limit = shl i64 %wide, 16
  %lacks = icmp ugt i64 %end, %limit
  br i1 %lacks, label %grow, label %done
grow:
  %missing = sub i64 %end, %limit
  %whole = lshr i64 %missing, 16
  %few = trunc i64 %whole to i32
  %asked = add i32 %few, 16
  %got = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %asked)
  br label %done
done:
  %block = inttoptr i64 %at to ptr
  ret ptr %block
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %all = add i64 %size, 127
  %zeros = call i64 @llvm.ctlz.i64(i64 %all, i1 true)
  %k = sub i64 64, %zeros
  %list = getelementptr [48 x ptr], ptr @freed, i64 0, i64 %k
  %head = load ptr, ptr %list
  %none = icmp eq ptr %head, null
  br i1 %none, label %new, label %again
again:
  %next_at = getelementptr %block, ptr %head, i64 0, i32 2
  %next = load ptr, ptr %next_at
  store ptr %next, ptr %list
  br label %found
new:
  %made = call ptr @fresh(i64 %k)
  br label %found
found:
  %block = phi ptr [%head, %again], [%made, %new]
  store i64 1, ptr %block
  %class_at = getelementptr %block, ptr %block, i64 0, i32 1
  %class = inttoptr i64 %k to ptr
  store ptr %class, ptr %class_at
  %data = getelementptr i8, ptr %block, i64 64
  %data_at = getelementptr %block, ptr %block, i64 0, i32 3
  store ptr %data, ptr %data_at
  %size_at = getelementptr %block, ptr %block, i64 0, i32 4
  store i64 %size, ptr %size_at
  ret ptr %block
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %block
}

define ptr @NRT_MemInfo_new_varsize(i64 %size) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %block
}

define ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %destructor) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %block
}

define ptr @NRT_MemInfo_varsize_realloc(ptr %block, i64 %size) {
  %data_at = getelementptr %block, ptr %block, i64 0, i32 3
  %data = load ptr, ptr %data_at
  %size_at = getelementptr %block, ptr %block, i64 0, i32 4
  %had = load i64, ptr %size_at
  %fits = icmp ule i64 %size, %had
  br i1 %fits, label %same, label %move
same:
  ret ptr %data
move:
  %other = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  %new_at = getelementptr %block, ptr %other, i64 0, i32 3
  %new = load ptr, ptr %new_at
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %data, i64 %had, i1 false)
  store ptr %new, ptr %data_at
  store i64 %size, ptr %size_at
  ret ptr %new
}

define ptr @NRT_MemInfo_varsize_alloc(ptr %block, i64 %size) {
  %data = call ptr @NRT_MemInfo_varsize_realloc(ptr %block, i64 %size)
  ret ptr %data
}

define void @NRT_MemInfo_varsize_free(ptr %block, ptr %data) {
  ret void
}

define void @NRT_MemInfo_call_dtor(ptr %block) {
  %class_at = getelementptr %block, ptr %block, i64 0, i32 1
  %class = load ptr, ptr %class_at
  %k = ptrtoint ptr %class to i64
  %list = getelementptr [48 x ptr], ptr @freed, i64 0, i64 %k
  %head = load ptr, ptr %list
  %next_at = getelementptr %block, ptr %block, i64 0, i32 2
  store ptr %head, ptr %next_at
  store ptr %block, ptr %list
  ret void
}

; A buffer without a count is the data of a block.
define ptr @NRT_Allocate(i64 %size) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  %data = getelementptr i8, ptr %block, i64 64
  ret ptr %data
}

define void @NRT_Free(ptr %data) {
  %block = getelementptr i8, ptr %data, i64 -64
  call void @NRT_MemInfo_call_dtor(ptr %block)
  ret void
}

; The strides of a dense array in another shape; 0 for an array that is not dense, which keeps its shape.
define i32 @numba_attempt_nocopy_reshape(i64 %axes, ptr %shape, ptr %strides, i64 %new_axes, ptr %new_shape, ptr %new_strides, i64 %item, i32 %fortran) {
  br label %check
check:
  %left = phi i64 [%axes, %0], [%axis, %see]
  %width = phi i64 [%item, %0], [%wider, %see]
  %checked = icmp eq i64 %left, 0
  br i1 %checked, label %lay, label %see
see:
  %axis = sub i64 %left, 1
  %length_at = getelementptr i64, ptr %shape, i64 %axis
  %length = load i64, ptr %length_at
  %stride_at = getelementptr i64, ptr %strides, i64 %axis
  %stride = load i64, ptr %stride_at
  %wider = mul i64 %width, %length
  %single = icmp eq i64 %length, 1
  %next = icmp eq i64 %stride, %width
  %dense = or i1 %single, %next
  br i1 %dense, label %check, label %refuse
refuse:
  ret i32 0
lay:
  %rest = phi i64 [%new_axes, %check], [%place, %put]
  %step = phi i64 [%item, %check], [%longer, %put]
  %laid = icmp eq i64 %rest, 0
  br i1 %laid, label %done, label %put
put:
  %place = sub i64 %rest, 1
  %step_at = getelementptr i64, ptr %new_strides, i64 %place
  store i64 %step, ptr %step_at
  %new_at = getelementptr i64, ptr %new_shape, i64 %place
  %new = load i64, ptr %new_at
  %longer = mul i64 %step, %new
  br label %lay
done:
  ret i32 1
}

define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}

define double @next_double(i64 %stream) {
  %word = call i64 @next_uint64(i64 %stream)
  %bits = lshr i64 %word, 11
  %whole = uitofp i64 %bits to double
  %unit = fmul double %whole, 0x3CA0000000000000
  ret double %unit
}

define i32 @next_uint32(i64 %stream) {
  %state = inttoptr i64 %stream to ptr
  %left_at = getelementptr i64, ptr %state, i64 4
  %left = load i64, ptr %left_at
  %half_at = getelementptr i64, ptr %state, i64 5
  %none = icmp eq i64 %left, 0
  br i1 %none, label %draw, label %second
second:
  store i64 0, ptr %left_at
  %old = load i64, ptr %half_at
  %upper = trunc i64 %old to i32
  ret i32 %upper
draw:
  %word = call i64 @next_uint64(i64 %stream)
  %rest = lshr i64 %word, 32
  store i64 %rest, ptr %half_at
  store i64 1, ptr %left_at
  %lower = trunc i64 %word to i32
  ret i32 %lower
}
